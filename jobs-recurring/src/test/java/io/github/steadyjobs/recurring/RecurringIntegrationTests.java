package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Status;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for recurring jobs with Redis. The tests do not set a clock. Instead, they set
 * the times at which the next ticks are due.
 */
@RedisAndClusterTest
class RecurringIntegrationTests {

	private static final String QUEUE = "work";

	private static final Schedule HOURLY = Schedule.every(Duration.ofHours(1));

	private final TestRedis redis;

	RecurringIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void tickMakesOneJobThatKnowsItsTime() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			Instant due = makeDue("Work.run", Duration.ofSeconds(3));
			look(process);
			await().until(() -> process.ticks().size() == 1);
			RecurringTick tick = process.ticks().get(0);
			assertThat(tick.decision()).isEqualTo(Decision.ENQUEUED);
			assertThat(tick.due()).isEqualTo(due);
			assertThat(tick.lateness()).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
			assertThat(tick.jobId()).isEqualTo(TickRunner.id("Work.run", due));
			JobPayload job = process.client().find(tick.jobId()).orElseThrow();
			assertThat(job.name()).isEqualTo("Work.run");
			assertThat(job.meta()).containsEntry("recurring", "Work.run")
				.containsEntry("recurring_due", due.toString());
			assertThat(ready()).containsExactly(tick.jobId());
			assertThat(next("Work.run")).isAfter(Instant.now());
			RecurringState state = process.jobs().find("Work.run").orElseThrow();
			assertThat(state.origin()).isEqualTo(Origin.DECLARED);
			assertThat(state.status()).isEqualTo(Status.ACTIVE);
			assertThat(state.next()).hasSize(5).startsWith(next("Work.run"));
			assertThat(Objects.requireNonNull(state.last()).due()).isEqualTo(due);
			assertThat(state.last().decision()).isEqualTo(Decision.ENQUEUED);
			assertThat(state.last().jobId()).isEqualTo(tick.jobId());
		}
	}

	@Test
	void tickWhenItsJobExpiresWritesWhenByRedisTime() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Expiring())) {
			makeDue("Work.run", Duration.ofSeconds(5));
			look(process);
			await().until(() -> ready().size() == 1);
			assertThat(process.client().find(ready().get(0)).orElseThrow().limits().expiresAt())
				.isCloseTo(Instant.now().plus(Duration.ofMinutes(10)), within(1, ChronoUnit.MINUTES));
		}
	}

	@Test
	void tickWhenItsJobIsThereAlreadyMakesNoOther() {
		RecurringJob job = RecurringJob.of("r", "Work.run", QUEUE, HOURLY).overlap(Overlap.ALLOW);
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			process.jobs().create(job);
			Instant due = makeDue("r", Duration.ofSeconds(3));
			look(process);
			await().until(() -> process.ticks().size() == 1);
			// Simulate older data that has been restored.
			setNext("r", due);
			look(process);
			await().until(() -> process.ticks().size() == 2);
			assertThat(ready()).containsExactly(TickRunner.id("r", due));
		}
	}

	@Test
	void tickWhenMissedHeedsThePolicy() {
		Instant first = Instant.ofEpochMilli(Instant.now().minus(Duration.ofMinutes(270)).toEpochMilli());
		Schedule schedule = HOURLY.from(first);
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			process.jobs().create(RecurringJob.of("skip", "Work.run", QUEUE, schedule).missed(Missed.SKIP));
			process.jobs().create(RecurringJob.of("once", "Work.run", QUEUE, schedule));
			process.jobs()
				.create(RecurringJob.of("all", "Work.run", QUEUE, schedule).runAllMissed(2).overlap(Overlap.ALLOW));
			List.of("skip", "once", "all").forEach((name) -> setNext(name, first));
			look(process);
			await().until(() -> List.of("skip", "once", "all")
				.stream()
				.allMatch((name) -> next(name).isAfter(Instant.now())));
			await().untilAsserted(() -> {
				assertThat(decisions(process, "skip")).doesNotContain(Decision.MADE_UP).contains(Decision.SKIPPED);
				assertThat(decisions(process, "once")).endsWith(Decision.MADE_UP).contains(Decision.SKIPPED);
				assertThat(decisions(process, "all")).endsWith(Decision.MADE_UP).contains(Decision.SKIPPED);
			});
			assertThat(decisions(process, "once")).containsOnlyOnce(Decision.MADE_UP);
			assertThat(decisions(process, "all").stream().filter(Decision.MADE_UP::equals)).hasSize(2);
			assertThat(ready()).hasSize(3);
		}
	}

	@Test
	void tickWhenRunsMayOverlapMakesEachJobOfAnIdempotentJob() {
		Instant first = Instant.ofEpochMilli(Instant.now().minus(Duration.ofMinutes(150)).toEpochMilli());
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Equal())) {
			process.jobs()
				.create(RecurringJob.of("all", "Equal.run", QUEUE, HOURLY.from(first))
					.runAllMissed(10)
					.overlap(Overlap.ALLOW));
			setNext("all", first);
			look(process);
			await().until(() -> ready().size() == 3);
			assertThat(process.jobs().trigger("all")).isInstanceOf(EnqueueResult.Enqueued.class);
			assertThat(decisions(process, "all")).containsExactly(Decision.MADE_UP, Decision.MADE_UP, Decision.MADE_UP);
		}
	}

	@Test
	void createWhenItsQueueIsThatOfAnOrderedJobIsRefused() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Ordered())) {
			assertThatExceptionOfType(InvalidRecurringJobException.class)
				.isThrownBy(() -> process.jobs().create(RecurringJob.of("r", "Ordered.run", "orders", HOURLY)))
				.withMessageContaining("Queue 'orders' is the queue of an ordered job");
		}
	}

	@Test
	void tickWhenAKeyIsDamagedHandlesThoseThatDoNotNeedIt() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			List<String> free = List.of("free", "also-free");
			free.forEach((name) -> process.jobs()
				.create(RecurringJob.of(name, "Work.run", QUEUE, HOURLY).overlap(Overlap.ALLOW)));
			process.jobs().create(RecurringJob.of("locked", "Work.run", QUEUE, HOURLY));
			this.redis.template().opsForValue().set(this.redis.key(QUEUE, "locks"), "neither hash nor list nor set");
			free.forEach((name) -> makeDue(name, Duration.ofSeconds(3)));
			Instant due = makeDue("locked", Duration.ofSeconds(3));
			look(process);
			await().until(() -> process.ticks().size() == 2);
			assertThat(process.ticks()).extracting(RecurringTick::name).hasSameElementsAs(free);
			assertThat(next("locked")).isEqualTo(due);
			this.redis.template().delete(this.redis.key(QUEUE, "locks"));
			process.beat();
			await().until(() -> process.ticks().size() == 3);
		}
	}

	@Test
	void tickWhenMoreAreDueThanOneCallTakesHandlesAll() {
		Instant due = Instant.now().minusSeconds(700).truncatedTo(ChronoUnit.SECONDS);
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			for (String name : List.of("r", "s")) {
				process.jobs()
					.create(RecurringJob.of(name, "Work.run", QUEUE, Schedule.every(Duration.ofSeconds(1)).from(due))
						.runAllMissed(1000)
						.overlap(Overlap.ALLOW));
			}
			Stream.of("r", "s").forEach((name) -> setNext(name, due));
			look(process);
			await().until(() -> ready().size() >= 1400);
			await().untilAsserted(() -> assertThat(process.ticks()).hasSameSizeAs(ready()));
			assertThat(process.ticks()).extracting(RecurringTick::jobId).doesNotHaveDuplicates();
		}
	}

	@Test
	void tickWhenTheLastJobHasNotEndedHeedsThePolicy() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			List<Overlap> policies = List.of(Overlap.values());
			policies.forEach((overlap) -> process.jobs()
				.create(RecurringJob.of(overlap.name(), "Work.run", QUEUE, HOURLY).overlap(overlap)));
			for (int round = 1; round <= 2; round++) {
				int rounds = round;
				policies.forEach((overlap) -> makeDue(overlap.name(), Duration.ofSeconds(3)));
				await().until(() -> {
					// A tick may be refused because the process has just read an older
					// state. Only the next heartbeat would try again.
					look(process);
					return process.ticks().size() == 3 * rounds;
				});
			}
			assertThat(decisions(process, "SKIP")).containsExactly(Decision.ENQUEUED, Decision.OVERLAPPED);
			assertThat(decisions(process, "ALLOW")).containsExactly(Decision.ENQUEUED, Decision.ENQUEUED);
			assertThat(decisions(process, "QUEUE_ONE")).containsExactly(Decision.ENQUEUED, Decision.OVERLAPPED);
			assertThat(ready()).hasSize(4);
			RecurringTick first = process.ticks()
				.stream()
				.filter((tick) -> tick.name().equals("SKIP"))
				.findFirst()
				.orElseThrow();
			assertThat(process.jobs().trigger("SKIP")).isInstanceOf(EnqueueResult.Duplicate.class)
				.extracting(EnqueueResult::id)
				.isEqualTo(first.jobId());
			EnqueueResult triggered = process.jobs().trigger("ALLOW");
			assertThat(triggered).isInstanceOf(EnqueueResult.Enqueued.class);
			assertThat(Instant.parse(Objects
				.requireNonNull(process.client().find(triggered.id()).orElseThrow().meta().get(RecurringJob.META_DUE))))
				.isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
		}
	}

	@Test
	void tickWhenJobIsIdempotentHeedsThoseThatOthersHaveEnqueued() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Equal())) {
			EnqueueResult other = process.client()
				.enqueue(JobRequest.named("Equal.run").idempotent(Idempotence.untilExecuted()));
			makeDue("Equal.run", Duration.ofSeconds(3));
			look(process);
			await().until(() -> process.ticks().size() == 1);
			assertThat(process.ticks().get(0).decision()).isEqualTo(Decision.OVERLAPPED);
			assertThat(process.ticks().get(0).jobId()).isEqualTo(other.id());
			// This also works in a process that does not know the job.
			try (RecurringProcess stranger = RecurringProcess.start(this.redis, "b", "other", new Nothing())) {
				assertThat(stranger.jobs().trigger("Equal.run").id()).isEqualTo(other.id());
			}
		}
	}

	@Test
	void tickWhenInterceptorStopsItIsSkipped() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work(),
				(request, chain) -> chain.stop())) {
			Instant due = makeDue("Work.run", Duration.ofSeconds(3));
			look(process);
			await().until(() -> next("Work.run").isAfter(due));
			await().until(() -> process.decisions().equals(List.of(Decision.SKIPPED)));
			assertThat(ready()).isEmpty();
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void tickWhenInterceptorDelaysItStaysAndSaysSo(CapturedOutput output) {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work(),
				(request, chain) -> chain.proceed(request.after(Duration.ofHours(1))))) {
			Instant due = makeDue("Work.run", Duration.ofSeconds(3));
			look(process);
			await().until(
					() -> output.getOut().contains("An interceptor has delayed a job of the recurring job 'Work.run'"));
			assertThat(next("Work.run")).isEqualTo(due);
			assertThat(ready()).isEmpty();
		}
	}

	@Test
	void declareWhenTwoReleasesRunTheLaterCountsWhicheverIsRestarted() {
		Duration early = Duration.ofHours(1);
		Duration late = Duration.ofHours(2);
		RecurringProcess one = RecurringProcess.start(this.redis, "one", new Work());
		await().until(() -> every(one).equals(early));
		try (RecurringProcess two = RecurringProcess.start(this.redis, "two", new LaterWork())) {
			await().until(() -> every(one).equals(late) && isInForce(two, "Work.run"));
			Instant next = next("Work.run");
			RecurringProcess oneMore = RecurringProcess.start(this.redis, "one-more", new Work());
			oneMore.beat();
			await().until(() -> declared("one-more"));
			assertThat(every(two)).isEqualTo(late);
			one.close();
			oneMore.close();
			assertThat(every(two)).isEqualTo(late);
			assertThat(next("Work.run")).isEqualTo(next);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void declareWhenTwoApplicationsHaveOneNameSaysSoOnce(CapturedOutput output) {
		try (RecurringProcess one = RecurringProcess.start(this.redis, "one", "shop", new Work())) {
			await().until(() -> declared("one"));
			try (RecurringProcess two = RecurringProcess.start(this.redis, "two", "billing", new LaterWork())) {
				String told = "Recurring job 'Work.run' is declared by the applications [billing, shop]";
				await().until(() -> output.getOut().contains(told));
				two.jobs().create(RecurringJob.of("r", "Work.run", QUEUE, HOURLY));
				one.jobs().create(RecurringJob.of("s", "Work.run", QUEUE, HOURLY));
				await().until(() -> output.getOut().lines().filter((line) -> line.contains(told)).count() == 2);
			}
			// Another release of the same application causes no such warning.
			RecurringProcess.start(this.redis, "three", "shop", new LaterWork()).close();
		}
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("is declared by the applications"))
			.as("lines, one from each process")
			.hasSize(2);
	}

	@Test
	void forgetWhenSomethingNewerIsInForceLeavesWhatBelongsThere() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			await().until(() -> declared("a"));
			RecurringJobs jobs = process.jobs();
			Reconciler reconciler = new Reconciler(this.redis.connections(), this.redis.prefix());
			Declarations old = reconciler.read();
			jobs.create(RecurringJob.of("r", "Work.run", QUEUE, HOURLY));
			jobs.create(RecurringJob.of("s", "Work.run", QUEUE, HOURLY));
			reconciler.forget(QUEUE, Set.of("r"), old);
			assertThat(next("r")).as("next tick of the job that came back").isNotNull();
			reconciler.change(reconciler.read(), (present) -> present.delete("r"));
			reconciler.forget(QUEUE, Set.of("r", "s"), old);
			assertThat(next("r")).as("next tick of the removed job").isNull();
			assertThat(next("s")).isNotNull();
		}
	}

	@Test
	void declareWhenTheLaterReleaseHasGoneTheEarlierCountsAgain() {
		try (RecurringProcess one = RecurringProcess.start(this.redis, "one", new Work())) {
			await().until(() -> declared("one"));
			RecurringProcess two = RecurringProcess.start(this.redis, "two", new LaterWork());
			await().until(() -> every(one).equals(Duration.ofHours(2)));
			two.close();
			look(one);
			await().until(() -> every(one).equals(Duration.ofHours(1)));
			await().until(() -> !next("Work.run").isAfter(Instant.now().plus(Duration.ofHours(1))));
		}
	}

	@Test
	void declareWhenNobodyDeclaresItAnyMoreItIsGone() {
		RecurringProcess one = RecurringProcess.start(this.redis, "one", new Work());
		await().until(() -> declared("one"));
		try (RecurringProcess two = RecurringProcess.start(this.redis, "two", new Nothing())) {
			await().until(() -> declared("two"));
			assertThat(two.jobs().find("Work.run")).isPresent();
			one.close();
			await().until(() -> !declared("one"));
			look(two);
			await().until(() -> two.jobs().list().isEmpty() && next("Work.run") == null);
		}
	}

	@Test
	void declareWhenItIsInAnotherQueueThanBeforeMakesUpForWhatWasMissed() {
		RecurringJob before = RecurringJob.of("Work.run", "Work.run", "before", HOURLY);
		RecurringProcess.declareAsDead(this.redis, "one", before);
		Reconciler reconciler = new Reconciler(this.redis.connections(), this.redis.prefix());
		Declarations known = reconciler.read();
		reconciler.apply(known);
		String ticks = this.redis.key("before", "ticks");
		this.redis.template().opsForZSet().incrementScore(ticks, "Work.run", -Duration.ofHours(3).toMillis());
		reconciler.change(known, (present) -> present.leave(List.of("one")));
		try (RecurringProcess two = RecurringProcess.start(this.redis, "two", new Work())) {
			// The decision about the third tick depends on how late it was.
			await().until(() -> two.ticks().size() == 3);
			assertThat(two.decisions().subList(0, 2)).containsOnly(Decision.SKIPPED);
			assertThat(ready()).hasSize(1);
			assertThat(this.redis.contents("before")).doesNotContainKey("ticks");
			assertThat(this.redis.template().opsForHash().keys(this.redis.key("before", "ticked")))
				.doesNotContain("Work.run", "=Work.run");
		}
	}

	@Test
	void forgetWhenAProcessWasNotHeardOfTwiceForgetsIt() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a",
				new EachSecondIntegrationTests.EachSecond())) {
			await().until(() -> declared("a"));
			// Simulate a process that has just started and has not reported itself yet.
			RecurringProcess.declareAsDead(this.redis, "new", RecurringJob.of("late", "New.run", QUEUE, HOURLY));
			IntStream.range(0, 23).forEach((beat) -> process.beat());
			// The marker appears when all of these heartbeats have ended.
			process.jobs().create(RecurringJob.of("marker", "Work.run", QUEUE, Schedule.every(Schedule.PRECISION)));
			await().until(() -> !decisions(process, "marker").isEmpty());
			assertThat(process.jobs().find("late")).isPresent();
			process.beat();
			await().until(() -> !declared("new") && process.jobs().find("late").isEmpty());
		}
	}

	@Test
	void findWhenTheLastProcessWasKilledSaysThatItIsParked() {
		RecurringProcess.declareAsDead(this.redis, "dead", RecurringJob.of("r", "Work.run", QUEUE, HOURLY));
		try (RecurringProcess other = RecurringProcess.start(this.redis, "other", "other", new Nothing())) {
			makeDue("r", Duration.ofMinutes(2));
			assertThat(other.jobs().find("r").orElseThrow().status()).isEqualTo(Status.PARKED);
			other.jobs().delete("r");
			assertThat(other.jobs().find("r")).isEmpty();
			assertThat(declared("dead")).isFalse();
		}
	}

	@Test
	void declareWhenItsApplicationIsDownItStaysWithItsTick() {
		RecurringProcess one = RecurringProcess.start(this.redis, "one", new Work());
		await().until(() -> declared("one"));
		one.close();
		Instant next = next("Work.run");
		try (RecurringProcess other = RecurringProcess.start(this.redis, "other", "other", new Nothing())) {
			await().until(() -> declared("other"));
			look(other);
			assertThat(other.jobs().find("Work.run").map(RecurringState::status)).contains(Status.PARKED);
			assertThat(next("Work.run")).isEqualTo(next);
			makeDue("Work.run", Duration.ofHours(1));
			assertThat(other.jobs().list()).allMatch((state) -> state.late().compareTo(Duration.ofMinutes(59)) > 0);
			try (RecurringProcess again = RecurringProcess.start(this.redis, "again", new Work())) {
				await().until(() -> !again.ticks().isEmpty());
			}
		}
	}

	@Test
	void deleteWhenItsApplicationIsDownDeletesItUntilThatIsBack() {
		RecurringProcess.start(this.redis, "one", new Work()).close();
		try (RecurringProcess other = RecurringProcess.start(this.redis, "other", "other", new Nothing())) {
			await().until(() -> declared("other"));
			other.jobs().delete("Work.run");
			assertThat(other.jobs().list()).isEmpty();
			assertThat(next("Work.run")).isNull();
			try (RecurringProcess again = RecurringProcess.start(this.redis, "again", new Work())) {
				await().until(() -> next("Work.run") != null);
				refused(Reason.DECLARED, () -> other.jobs().delete("Work.run"));
			}
		}
	}

	@Test
	void declareWhenChangedAfterTicksWereMissedMakesUpForThem() {
		RecurringProcess one = RecurringProcess.start(this.redis, "one", new Work());
		await().until(() -> declared("one"));
		one.close();
		Instant missed = makeDue("Work.run", Duration.ofHours(3));
		try (RecurringProcess two = RecurringProcess.start(this.redis, "two", new LaterWork())) {
			await().until(() -> next("Work.run").isAfter(Instant.now()));
			await().until(() -> two.ticks().size() >= 2);
			assertThat(two.ticks()).extracting(RecurringTick::due).contains(missed);
			assertThat(ready()).hasSize(1);
		}
	}

	@Test
	void tickWhenWorkersAreQuietStillComes() {
		try (RecurringProcess quiet = RecurringProcess.start(this.redis, "quiet",
				new EachSecondIntegrationTests.EachSecond())) {
			await().until(() -> !quiet.ticks().isEmpty());
			quiet.worker().told(new WorkerEvent.Quieted("quiet"));
			await().until(() -> !declared("quiet"));
			int before = quiet.ticks().size();
			await().until(() -> quiet.ticks().size() >= before + 2);
			quiet.beat();
			try (RecurringProcess other = RecurringProcess.start(this.redis, "other",
					new EachSecondIntegrationTests.EachSecond())) {
				await().until(() -> other.ticks().size() >= 3);
				assertThat(this.redis.template().opsForHash().keys(this.redis.prefix() + ":recurring"))
					.contains("process:other")
					.doesNotContain("process:quiet");
			}
		}
	}

	@Test
	void changeWhenMadeWithTheApiCountsAtOnce() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			await().until(() -> declared("a"));
			RecurringJobs jobs = process.jobs();
			RecurringJob job = RecurringJob.of("r", "Work.run", QUEUE, HOURLY);
			assertThat(jobs.create(job).status()).isEqualTo(Status.ACTIVE);
			assertThat(jobs.create(job).job()).isEqualTo(job);
			RecurringJob other = RecurringJob.of("r", "Work.run", "other", Schedule.every(Duration.ofMinutes(1)));
			refused(Reason.EXISTS, () -> jobs.create(other));
			assertThat(jobs.change(other).job()).isEqualTo(other);
			assertThat(next("r")).isNull();
			assertThat(this.redis.template().opsForZSet().score(this.redis.key("other", "ticks"), "r")).isNotNull();
			assertThat(jobs.pause("r", "Ann", "too much").status()).isEqualTo(Status.PAUSED);
			assertThat(Objects.requireNonNull(jobs.pause("r", "Bob", "me too").pause()).who()).isEqualTo("Ann");
			assertThat(this.redis.template().opsForZSet().score(this.redis.key("other", "ticks"), "r")).isNull();
			assertThat(jobs.resume("r").next()).hasSize(5);
			jobs.delete("r");
			assertThat(jobs.find("r")).isEmpty();
			assertThat(this.redis.contents("other")).doesNotContainKey("ticks");
			refused(Reason.UNKNOWN, () -> jobs.delete("r"));
			refused(Reason.UNKNOWN, () -> jobs.pause("r", "Ann", "too much"));
			refused(Reason.INVALID, () -> jobs.pause("Work.run", "Ann", " "));
			refused(Reason.INVALID, () -> jobs.pause("Work.run", "Ann\nBob", "too much"));
			refused(Reason.INVALID, () -> jobs.pause("Work.run", "Ann", "x".repeat(1001)));
			refused(Reason.UNKNOWN, () -> jobs.trigger("r"));
			refused(Reason.DECLARED, () -> jobs.delete("Work.run"));
			// An equal job is refused too, because it would be removed as soon as the
			// annotation is removed.
			refused(Reason.EXISTS, () -> jobs.create(process.jobs().find("Work.run").orElseThrow().job()));
			refused(Reason.DECLARED, () -> jobs.change(RecurringJob.of("Work.run", "Work.run", QUEUE, HOURLY)));
		}
	}

	@Test
	void changesAreReportedUnlessThereWasNothingToChange() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			RecurringJobs jobs = process.jobs();
			RecurringJob hourly = RecurringJob.of("r", "Work.run", QUEUE, HOURLY);
			jobs.create(hourly);
			jobs.create(hourly);
			jobs.change(RecurringJob.of("r", "Work.run", QUEUE, Schedule.every(Duration.ofHours(2))));
			jobs.change(RecurringJob.of("r", "Work.run", "other", HOURLY));
			jobs.pause("r", "ann", "wrong");
			jobs.pause("r", "bob", "again");
			jobs.resume("r");
			jobs.resume("r");
			String triggered = jobs.trigger("r").id();
			assertThat(jobs.trigger("r").accepted()).isFalse();
			jobs.delete("r");
			assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> jobs.delete("Work.run"));
			assertThat(process.changes()).extracting(OperatorChange::action)
				.containsExactly("create", "change", "change", "pause", "resume", "trigger", "delete");
			assertThat(process.changes()).extracting((change) -> change.target().get("recurring")).containsOnly("r");
			assertThat(process.changes().get(1).target()).containsEntry("name", "Work.run")
				.containsEntry("schedule", "every PT2H");
			assertThat(process.changes().get(3).by()).isEqualTo("ann");
			assertThat(process.changes().get(3).target()).containsEntry("why", "wrong");
			assertThat(process.changes().get(5).target()).containsEntry("job", triggered);
		}
	}

	@Test
	void createWhenJitterHasMovedATickIntoTheFutureBeginsWithIt() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Nothing())) {
			// Almost certainly, some of these ticks lie in the past without their jitter
			// but in the future with it.
			for (int number = 0; number < 20; number++) {
				Schedule schedule = Schedule.every(Duration.ofHours(1)).jitter(Duration.ofMinutes(59));
				RecurringJob job = RecurringJob.of("r" + number, "Work.run", QUEUE, schedule);
				Instant before = Instant.now();
				process.jobs().create(job);
				Instant passed = schedule.next(job.name(), before.minus(Duration.ofHours(1)));
				boolean isToCome = schedule.moved(job.name(), passed).isAfter(Instant.now().plusSeconds(1));
				if (isToCome) {
					assertThat(next(job.name())).isEqualTo(passed);
				}
			}
		}
	}

	@Test
	void createFromTextsSaysWhatCannotBe() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new Work())) {
			RecurringJobs jobs = process.jobs();
			RecurringJob read = jobs.read("r", "Work.run",
					Map.of("cron", "0 0 3 * * *", "zone", "Europe/Berlin", "missed", "run-all", "at-most", "3", "from",
							"2026-01-01", "until", "2099-01-01T06:00", "jitter", "5s"));
			assertThat(jobs.create(read).job()).isEqualTo(read);
			assertThat(read.queue()).isEqualTo(QUEUE);
			for (Map<String, String> bad : List.of(Map.of("cron", "0 0 99 * * *"), Map.of("every", "0s"),
					Map.of("every", "10"), Map.of("every", "10m", "zone", "Europe/Nowhere"),
					Map.of("cron", "@daily", "every", "1d"), Map.<String, String>of(),
					Map.of("every", "1d", "missed", "run-all"), Map.of("every", "1d", "missed", "perhaps"),
					Map.of("every", "1d", "from", "tomorrow"), Map.of("every", "1d", "at-most", "5"))) {
				refused(Reason.INVALID, () -> jobs.read("s", "Work.run", bad));
			}
			refused(Reason.INVALID, () -> jobs.create(jobs.read("s", "Work.withArgument", Map.of("every", "1d"))));
			refused(Reason.INVALID, () -> jobs.read("a b", "Work.run", Map.of("every", "1d")));
			assertThat(jobs.create(jobs.read("parked", "Unknown.job", Map.of("every", "1d"))).status())
				.isEqualTo(Status.PARKED);
		}
	}

	private static void refused(Reason reason, ThrowingCallable call) {
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason));
	}

	private static List<Decision> decisions(RecurringProcess process, String name) {
		return process.ticks()
			.stream()
			.filter((tick) -> tick.name().equals(name))
			.map(RecurringTick::decision)
			.toList();
	}

	/**
	 * Make the next tick look as if it had been due some time ago.
	 * @return the time at which the tick now seems to have been due
	 */
	private Instant makeDue(String name, Duration ago) {
		await().until(() -> next(name) != null);
		Instant due = Instant.ofEpochMilli(Instant.now().minus(ago).toEpochMilli());
		setNext(name, due);
		return due;
	}

	private void setNext(String name, Instant due) {
		this.redis.template().opsForZSet().add(this.redis.key(QUEUE, "ticks"), name, due.toEpochMilli());
	}

	private boolean isInForce(RecurringProcess process, String name) {
		RecurringJob job = process.jobs().find(name).orElseThrow().job();
		Object state = this.redis.template().opsForHash().get(this.redis.key(QUEUE, "ticked"), name);
		return String.valueOf(state).startsWith(DeclaredSet.hex(DeclaredSet.json(job)));
	}

	private @Nullable Instant next(String name) {
		Double score = this.redis.template().opsForZSet().score(this.redis.key(QUEUE, "ticks"), name);
		return (score != null) ? Instant.ofEpochMilli(score.longValue()) : null;
	}

	/**
	 * Make a process read all data of recurring jobs again.
	 */
	private static void look(RecurringProcess process) {
		process.worker().told(new WorkerEvent.DataLost(QUEUE, null));
	}

	private List<String> ready() {
		return Objects.requireNonNull(this.redis.template().opsForList().range(this.redis.key(QUEUE, "ready"), 0, -1));
	}

	private boolean declared(String process) {
		return this.redis.template().opsForHash().hasKey(this.redis.prefix() + ":recurring", "process:" + process);
	}

	private static Duration every(RecurringProcess process) {
		return process.jobs().find("Work.run").map((state) -> state.job().schedule().every()).orElse(Duration.ZERO);
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
	}

	static class Work {

		@Job(queue = QUEUE)
		@Recurring(every = "1h")
		void run(JobContext job) {
		}

		@Job(queue = QUEUE)
		void withArgument(int number) {
		}

	}

	static class LaterWork {

		@Job(name = "Work.run", queue = QUEUE)
		@Recurring(name = "Work.run", every = "2h")
		void run() {
		}

	}

	static class Expiring {

		@Job(name = "Work.run", queue = QUEUE, expires = "10m")
		@Recurring(name = "Work.run", every = "1h")
		void run() {
		}

	}

	static class Equal {

		@Job(queue = QUEUE)
		@Idempotent
		@Recurring(every = "1h")
		void run() {
		}

	}

	static class Ordered {

		@Job(queue = "orders")
		@Sequential(key = "#p0")
		void take(int number) {
		}

		@Job(queue = QUEUE)
		void run() {
		}

	}

	static class Nothing {

		@Job(queue = QUEUE)
		void run() {
		}

	}

}
