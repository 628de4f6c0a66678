package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Duplicate;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Merged;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.test.boot.shop.ChainJobs;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Again;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Elsewhere;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Ordered;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Failing;
import io.github.steadyjobs.test.boot.shop.MailJobs.Reminder;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.TenantInterceptor;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of mode {@code RECORD} in a context of Spring Boot. The configured Redis does not
 * exist.
 */
@AutoConfigureJobs
class RecordedJobsTests extends AbstractShopTests {

	@Autowired
	ConfigurableApplicationContext context;

	@Test
	void recordsAJobAfterTheCommit() {
		this.signUp.register("ada@example.org");
		assertThat(this.jobs).hasEnqueued(Welcome.class)
			.once()
			.inQueue("mail")
			.afterCommit()
			.dueIn(Duration.ZERO)
			.withTag("greeting")
			.withArgument((welcome) -> assertThat(welcome.email()).isEqualTo("ada@example.org"));
		assertThat(this.jobs).hasEnqueued(Reminder.class).once().dueIn(Duration.ofDays(7));
		assertThat(this.jobs).hasEnqueuedNothingElse();
		assertThat(MailJobs.SENT).isEmpty();
		assertThat(this.jobs.enqueued().get(0).payload().meta()).isEqualTo(Map.of("tenant", "t1"));
	}

	@Test
	void recordsNothingBeforeTheCommit() {
		inTransaction(() -> {
			this.signUp.register("ada@example.org");
			assertThat(this.jobs).hasEnqueuedNothing();
			assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class))
				.hasMessageContaining("A transaction is active here")
				.hasMessageContaining("This test has enqueued no job");
		});
		assertThat(this.jobs).hasEnqueued(Welcome.class).afterCommit();
	}

	@Test
	void recordsNothingOfATransactionThatIsRolledBack() {
		assertThatIllegalStateException().isThrownBy(() -> this.signUp.fail("ada@example.org"));
		assertThat(this.jobs).hasEnqueuedNothing();
	}

	@Test
	void afterCommitWhenThereWasNoneFails() {
		this.client.enqueue(new Welcome("ada"));
		inTransaction(() -> this.client.enqueue(JobRequest.of(new Failing("now")).beforeCommit()));
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class).afterCommit())
			.hasMessageContaining("its moment is OUTSIDE");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Failing.class).afterCommit())
			.hasMessageContaining("its moment is IN_TRANSACTION");
	}

	@Test
	void hasEnqueuedTakesACall() {
		this.client.enqueue(MailJobs.class, (mail) -> mail.send(7, "first"));
		assertThat(this.jobs).hasEnqueued(MailJobs.class, (mail) -> mail.send(7, "first")).once();
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(MailJobs.class, (mail) -> mail.send(7, "final")))
			.isInstanceOf(AssertionError.class)
			.hasMessageContaining("Expected job MailJobs.send(7,\"final\") to be enqueued, but it was not.")
			.hasMessageContaining("Nearest: MailJobs.send(7,\"first\") in queue 'default', due now")
			.hasMessageContaining("but its arguments differ");
	}

	@Test
	void hasEnqueuedTakesAName() {
		this.client.enqueue(JobRequest.named("MailJobs.send", 7, "first"));
		this.client.enqueue(JobRequest.named("unknown.here", "a", null));
		this.client.enqueue(new Elsewhere(3));
		assertThat(this.jobs).hasEnqueued("MailJobs.send").withArguments(7, "first");
		assertThat(this.jobs).hasEnqueued("unknown.here").withArguments("a", null);
		assertThat(this.jobs).hasEnqueued(Elsewhere.class).withArgument((job) -> assertThat(job.number()).isEqualTo(3));
		assertThat(this.jobs).hasEnqueuedNothingElse();
	}

	@Test
	void assertionsNarrowDown() {
		List.of("ada", "bob", "eve").forEach((name) -> this.client.enqueue(new Welcome(name)));
		this.client.enqueue(JobRequest.of(new Welcome("zoe")).queue("low"));
		assertThat(this.jobs).hasEnqueued(Welcome.class).times(4).inQueue("low").once();
		assertThat(this.jobs).hasEnqueued(Welcome.class)
			.withArgument((job) -> assertThat(job.email()).isEqualTo("bob"));
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueuedNothingElse()).hasMessageContaining(
				"no assertion has found this:\n  - MailJobs.welcome({\"email\":\"ada\"}) in queue 'mail', due now, "
						+ "without a transaction\n  - MailJobs.welcome({\"email\":\"eve\"})");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class).once())
			.hasMessageContaining("Expected job 'MailJobs.welcome' to be enqueued once, but it was enqueued 4 times.");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class).inQueue("high"))
			.hasMessageContaining("Expected job 'MailJobs.welcome' in queue 'high' to be enqueued")
			.hasMessageContaining("Nearest: MailJobs.welcome({\"email\":\"ada\"}) in queue 'mail'")
			.hasMessageContaining("but its queue is mail")
			.hasMessageContaining("This test has enqueued:")
			.hasMessageContaining("zoe");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class)
			.withArgument((job) -> assertThat(job.email()).isEqualTo("eva"))).hasMessageContaining("expected: \"eva\"");
	}

	@Test
	void anAssertionThatIsNarrowedDownTwiceFindsTheJobsOfBoth() {
		List.of("ada", "bob").forEach((name) -> this.client.enqueue(new Welcome(name)));
		EnqueuedAssert<Welcome> welcome = assertThat(this.jobs).hasEnqueued(Welcome.class).times(2);
		welcome.withArgument((job) -> assertThat(job.email()).isEqualTo("ada"));
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueuedNothingElse()).hasMessageContaining("no assertion");
		welcome.withArgument((job) -> assertThat(job.email()).isEqualTo("bob"));
		assertThat(this.jobs).hasEnqueuedNothingElse();
	}

	@Test
	void anAssertionThatFailsFindsNothing() {
		this.client.enqueue(new Welcome("ada"));
		EnqueuedAssert<Welcome> welcome = assertThat(this.jobs).hasEnqueued(Welcome.class);
		assertThatThrownBy(() -> welcome.times(2)).isInstanceOf(AssertionError.class);
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueuedNothingElse()).hasMessageContaining("no assertion");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class).inQueue("low"))
			.isInstanceOf(AssertionError.class);
		assertThatIllegalStateException().isThrownBy(
				() -> assertThat(this.jobs).hasEnqueued(Welcome.class).withArgument((job) -> throwIllegalState()));
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueuedNothingElse()).hasMessageContaining("no assertion");
		assertThat(this.jobs).hasEnqueued(Welcome.class).once().inQueue("mail");
		assertThat(this.jobs).hasEnqueuedNothingElse();
	}

	private static void throwIllegalState() {
		throw new IllegalStateException("The requirement is wrong");
	}

	@Test
	void hasNotEnqueuedFailsIfItWas() {
		assertThat(this.jobs).hasNotEnqueued(Welcome.class).hasNotEnqueued("MailJobs.send");
		this.client.enqueue(new Welcome("ada"));
		assertThatThrownBy(() -> assertThat(this.jobs).hasNotEnqueued(Welcome.class))
			.hasMessageContaining("Expected no job 'MailJobs.welcome'");
	}

	@Test
	void assertionsOnUnknownJobsSayWhichAreKnown() {
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Duration.class)).isInstanceOf(AssertionError.class)
			.hasMessageContaining("java.time.Duration")
			.hasMessageContaining("'MailJobs.welcome'");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(SignUpTests.class, SignUpTests::run))
			.isInstanceOf(AssertionError.class)
			.hasMessageContaining("'MailJobs.welcome'");
		assertThatThrownBy(() -> assertThat(this.jobs).hasNotEnqueued("MailJobs.wellcome"))
			.hasMessageContaining("could not fail");
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued("MailJobs.wellcome"))
			.hasMessageContaining("'MailJobs.welcome'");
	}

	@Test
	void checksArgumentsLikeTheRealClient() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.client.enqueue(JobRequest.named("MailJobs.send", "no number", "first")));
		assertThat(this.jobs).hasEnqueuedNothing();
	}

	@Test
	void drainRunsThroughTheWholeChain() {
		MDC.put("test", "mine");
		this.signUp.register("ada");
		Drained ran = this.jobs.drain();
		assertThat(ran.done()).isOne();
		assertThat(ran.failed()).isZero();
		assertThat(MailJobs.SENT).containsExactly("welcome ada attempt 1 tenant t1");
		assertThat(TenantInterceptor.RUNS).containsExactly("MailJobs.welcome");
		assertThat(welcomed()).isOne();
		assertThat(this.jobs.drain().runs()).isEmpty();
		assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("test", "mine"));
		MDC.clear();
	}

	@Test
	void drainRunsOutsideOfTheTransactionOfTheTest() {
		this.client.enqueue(new Welcome("ada"));
		assertThatIllegalStateException().isThrownBy(() -> inTransaction(() -> {
			assertThat(this.jobs.drain().done()).isOne();
			throw new IllegalStateException("roll back");
		}));
		assertThat(welcomed()).isOne();
	}

	@Test
	void advanceMakesJobsDue() {
		this.signUp.register("ada");
		this.jobs.drain();
		this.jobs.advance(Duration.ofDays(7).minusSeconds(10));
		assertThat(this.jobs.drain().runs()).isEmpty();
		this.jobs.advance(Duration.ofSeconds(10));
		assertThat(this.jobs.drain().done()).isOne();
		assertThat(MailJobs.SENT).endsWith("remind ada");
		assertThat(this.jobs.now()).isAfter(Instant.now().plus(Duration.ofDays(6)));
	}

	@Test
	void jobsThatAreEnqueuedAfterAnAdvanceAreDueFromThen() {
		this.jobs.advance(Duration.ofDays(3));
		Instant due = this.jobs.now().plus(Duration.ofHours(1));
		EnqueueResult result = this.client.enqueue(JobRequest.of(new Welcome("ada")).at(due));
		assertThat(result).isInstanceOfSatisfying(Scheduled.class,
				(scheduled) -> assertThat(scheduled.at()).isBetween(due.minusSeconds(1), due.plusSeconds(1)));
		assertThat(this.jobs.drain().runs()).isEmpty();
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.drain().done()).isOne();
	}

	@Test
	void advanceBackIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.advance(Duration.ofDays(-1)));
	}

	@Test
	void retriesAreDueLaterUntilTheJobIsDead() {
		this.client.enqueue(new Failing("always"));
		RunResult first = this.jobs.drain().runs().get(0);
		assertThat(first.outcome()).isEqualTo(JobOutcome.RETRY);
		assertThat(first.runsAgainIn()).isGreaterThan(Duration.ofSeconds(10));
		assertThat(first.failure()).hasMessage("always");
		assertThat(this.jobs.drain().runs()).isEmpty();
		Drained rest = this.jobs.drain(Drain.everything().recursively().upTo(this.jobs.now().plus(Duration.ofDays(1))));
		assertThat(rest.runs()).extracting(RunResult::outcome).containsExactly(JobOutcome.RETRY, JobOutcome.DEAD);
		assertThat(rest.failed()).isEqualTo(2);
		assertThatIllegalArgumentException().isThrownBy(rest::rethrow).withMessage("always");
		assertThat(this.jobs.now()).isAfter(Instant.now().plus(Duration.ofHours(23)));
	}

	@Test
	void drainTakesOnlyWhatIsWanted() {
		this.client.enqueue(new Welcome("ada"));
		this.client.enqueue(new Failing("low"));
		assertThat(this.jobs.drain(Drain.queues("other")).runs()).isEmpty();
		assertThat(this.jobs.drain(Drain.only(Failing.class)).failed()).isOne();
		assertThat(this.jobs.drain(Drain.queues("mail")).done()).isOne();
	}

	@Test
	void drainRunsWhatIsEnqueuedMeanwhileOnlyIfRecursive() {
		this.client.enqueue(new Again(3));
		assertThat(this.jobs.drain().done()).isOne();
		assertThat(this.jobs.drain(Drain.everything().recursively().atMost(2)).done()).isEqualTo(2);
		assertThat(this.jobs.drain(Drain.everything().recursively()).done()).isOne();
		assertThat(ChainJobs.RAN).containsExactly("again 3", "again 2", "again 1", "again 0");
	}

	@Test
	void drainUpToATimeRunsTheJobsThatAreDueThen() {
		// Many times, because the clock must go on between the client and the memory.
		for (int i = 0; i < 1000; i++) {
			Instant time = this.jobs.now().plus(Duration.ofHours(1));
			this.client.enqueue(JobRequest.of((i % 2 == 0) ? new Again(0) : new Ordered("ada", i)).at(time));
			assertThat(this.jobs.drain(Drain.everything().upTo(time)).done()).isOne();
		}
	}

	@Test
	void drainOfJobsThatEnqueueEachOtherForEverIsBounded() {
		this.client.enqueue(new Again(-1));
		assertThatThrownBy(() -> this.jobs.drain(Drain.everything().recursively())).isInstanceOf(AssertionError.class)
			.hasMessageContaining("10,000 jobs have run, and there are more. Do jobs enqueue each other for ever")
			.hasMessageContaining("ChainJobs.again");
	}

	@Test
	void snoozedAndDiscardedJobsHaveNotFailed() {
		this.client.enqueue(ChainJobs.class, (chain) -> chain.snooze(true, null));
		this.client.enqueue(ChainJobs.class, (chain) -> chain.discard("not needed"));
		Drained ran = this.jobs.drain();
		assertThat(ran.count(JobOutcome.SNOOZED)).isOne();
		assertThat(ran.count(JobOutcome.DISCARDED)).isOne();
		assertThat(ran.failed()).isZero();
		ran.rethrow();
		RunResult discarded = this.jobs.run(JobRequest.of(ChainJobs.class, (chain) -> chain.discard("not needed")));
		assertThat(discarded.failure()).hasMessage("not needed");
		discarded.rethrow();
		this.jobs.advance(Duration.ofMinutes(1));
		assertThat(this.jobs.drain().done()).isOne();
	}

	@Test
	void aJobThatAsksForAPauseRunsAgainAfterIt() {
		this.client.enqueue(ChainJobs.class, (chain) -> chain.pause(true));
		Drained ran = this.jobs.drain();
		assertThat(ran.count(JobOutcome.PUT_OFF)).isOne();
		assertThat(ran.runs().get(0).runsAgainIn()).isEqualTo(Duration.ofMinutes(10));
		ran.rethrow();
		this.client.enqueue(ChainJobs.class, (chain) -> chain.pause(false));
		assertThat(this.jobs.drain().done()).as("nothing else is paused").isOne();
		this.jobs.advance(Duration.ofMinutes(10));
		assertThat(this.jobs.drain().done()).isOne();
	}

	@Test
	void aJobThatIsDiscardedAfterItsLastFailureHasFailed() {
		this.client.enqueue(ChainJobs.class, (chain) -> chain.failUnkept("the last time"));
		Drained ran = this.jobs.drain();
		assertThat(ran.count(JobOutcome.DISCARDED)).isOne();
		assertThat(ran.failed()).isOne();
		assertThatIllegalArgumentException().isThrownBy(ran::rethrow).withMessage("the last time");
		assertThatIllegalArgumentException().isThrownBy(ran.runs().get(0)::rethrow).withMessage("the last time");
	}

	@Test
	void aJobThatNoBeanHasIsParked() {
		EnqueueResult elsewhere = this.client.enqueue(new Elsewhere(1));
		assertThat(this.jobs.drain().count(JobOutcome.PARKED)).isOne();
		assertThat(this.jobs.drain().runs()).isEmpty();
		assertThat(this.client.find(elsewhere.id())).isPresent();
	}

	@Test
	void runRunsOneJobThatIsNotRecorded() {
		RunResult result = this.jobs.run(JobRequest.of(new Welcome("ada")));
		assertThat(result.outcome()).isEqualTo(JobOutcome.DONE);
		assertThat(result.name()).isEqualTo("MailJobs.welcome");
		assertThat(MailJobs.SENT).containsExactly("welcome ada attempt 1 tenant t1");
		assertThat(this.jobs).hasEnqueuedNothing();
		RunResult failed = this.jobs.run(JobRequest.of(new Failing("always")));
		assertThat(failed.outcome()).isEqualTo(JobOutcome.RETRY);
		assertThatIllegalArgumentException().isThrownBy(failed::rethrow).withMessage("always");
		assertThat(this.jobs.run(JobRequest.of(ChainJobs.class, (chain) -> chain.snooze(true, null))).runsAgainIn())
			.isEqualTo(Duration.ofMinutes(1));
		assertThat(this.jobs.run(JobRequest.of(new Ordered("ada", 3))).outcome()).isEqualTo(JobOutcome.DONE);
		assertThat(this.jobs.run(JobRequest.of(new Again(1))).outcome()).isEqualTo(JobOutcome.DONE);
		assertThat(this.jobs).hasEnqueued(Again.class).once();
	}

	@Test
	void locksKeepDuplicatesOut() {
		EnqueueResult first = this.client.enqueue(new Reminder("ada"));
		assertThat(this.client.enqueue(new Reminder("ada"))).isEqualTo(new Duplicate(first.id(), false));
		assertThat(this.client.enqueue(new Reminder("bob"))).isInstanceOf(Enqueued.class);
		assertThat(this.jobs).hasEnqueued(Reminder.class).times(2);
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class))
			.hasMessageContaining("Not stored:\n  - MailJobs.remind({\"email\":\"ada\"})")
			.hasMessageContaining("a duplicate of " + first.id());
		this.jobs.drain();
		assertThat(this.client.enqueue(new Reminder("ada"))).isInstanceOf(Enqueued.class);
	}

	@Test
	void locksLastAsLongAsTheyDo() {
		assertThat(untilExecuting()).isInstanceOf(Enqueued.class);
		assertThat(untilExecuting()).isInstanceOf(Duplicate.class);
		assertThat(within()).isInstanceOf(Enqueued.class);
		this.jobs.drain();
		assertThat(untilExecuting()).isInstanceOf(Enqueued.class);
		assertThat(within()).isInstanceOf(Duplicate.class);
		this.jobs.advance(Duration.ofHours(1));
		assertThat(within()).isInstanceOf(Enqueued.class);
		assertThat(untilExecuting()).as("the lock has expired").isInstanceOf(Enqueued.class);
	}

	private EnqueueResult untilExecuting() {
		return this.client.enqueue(ChainJobs.class, (chain) -> chain.untilExecuting(1));
	}

	private EnqueueResult within() {
		return this.client.enqueue(ChainJobs.class, (chain) -> chain.within(1));
	}

	@Test
	void jobsThatExcludeEachOtherRunOneAfterAnother() {
		for (int i = 0; i < 2; i++) {
			EnqueueResult result = this.client.enqueue(ChainJobs.class, (chain) -> chain.whileExecuting(1));
			assertThat(result).isInstanceOf(Enqueued.class);
		}
		assertThat(this.jobs.drain().done()).isEqualTo(2);
		assertThat(ChainJobs.RAN).containsExactly("alone 1", "alone 1");
	}

	@Test
	void aDuplicateOfARunningJobRunsOnceMore() {
		this.client.enqueue(ChainJobs.class, (chain) -> chain.onceMore(1));
		assertThat(this.jobs.drain(Drain.everything().recursively()).done()).isEqualTo(3);
	}

	@Test
	void payloadsOfAKeyMerge() {
		assertThat(this.client.enqueue(new Ordered("ada", 3))).isInstanceOf(Enqueued.class);
		assertThat(this.client.enqueue(new Ordered("ada", 1))).isInstanceOf(Merged.class);
		assertThat(this.client.enqueue(new Ordered("ada", 3))).isInstanceOf(Merged.class);
		assertThat(this.client.enqueue(new Ordered("bob", 2))).isInstanceOf(Enqueued.class);
		assertThat(this.jobs.drain().done()).isEqualTo(2);
		assertThat(ChainJobs.RAN).containsExactly("ada 1", "ada 3", "bob 2");
	}

	@Test
	void aFailedPayloadOfAKeyHoldsTheOthersUp() {
		this.client.enqueue(new Ordered("ada", -1));
		this.client.enqueue(new Ordered("ada", -2));
		RunResult failed = this.jobs.drain().runs().get(0);
		assertThat(failed.outcome()).isEqualTo(JobOutcome.RETRY);
		this.client.enqueue(new Ordered("ada", 5));
		assertThat(this.jobs.drain().runs()).as("waits with its key").isEmpty();
		assertThat(this.client.find(failed.id())).get()
			.satisfies((job) -> assertThat(job.arguments().toString()).contains("-2"));
		this.jobs.drain(Drain.everything().recursively().upTo(this.jobs.now().plus(Duration.ofDays(100))));
		assertThat(ChainJobs.RAN).endsWith("ada -1", "ada 5");
	}

	@Test
	void findAndCancelWork() {
		EnqueueResult welcome = this.client.enqueue(new Welcome("ada"));
		EnqueueResult reminder = this.client.enqueue(new Reminder("ada"));
		assertThat(this.client.find(welcome.id()).orElseThrow(NoSuchElementException::new).name())
			.isEqualTo("MailJobs.welcome");
		assertThat(this.client.cancel(reminder.id())).isTrue();
		assertThat(this.client.cancel(reminder.id())).isFalse();
		assertThat(this.client.enqueue(new Reminder("ada"))).isInstanceOf(Enqueued.class);
		assertThat(this.jobs.drain().done()).isEqualTo(2);
		assertThat(this.client.find(welcome.id())).isEmpty();
	}

	@Test
	void clearForgetsJobsLocksAndTime() {
		this.client.enqueue(new Reminder("ada"));
		this.jobs.advance(Duration.ofDays(1));
		this.jobs.clear();
		assertThat(this.jobs).hasEnqueuedNothing();
		assertThat(this.jobs.drain().runs()).isEmpty();
		assertThat(this.jobs.now()).isBefore(Instant.now().plusSeconds(1));
		assertThat(this.client.enqueue(new Reminder("ada"))).isInstanceOf(Enqueued.class);
	}

	@Test
	void enqueueAllIsRecorded() {
		List<JobRequest> requests = List.of(JobRequest.of(new Welcome("ada")), JobRequest.of(new Reminder("ada")),
				JobRequest.of(new Reminder("ada")), JobRequest.of(new Ordered("ada", 1)));
		assertThat(this.client.enqueueAll(requests)).extracting(EnqueueResult::accepted)
			.containsExactly(true, true, false, true);
		assertThat(this.jobs.enqueued()).hasSize(3);
	}

	@Test
	void aJobOfAnotherThreadIsNamed() throws InterruptedException {
		Thread thread = new Thread(() -> this.client.enqueue(new Welcome("ada")), "another-thread");
		thread.start();
		thread.join();
		assertThat(this.jobs).hasEnqueuedNothing();
		assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class))
			.hasMessageContaining("but the thread 'another-thread' has enqueued it")
			.hasMessageContaining("Enqueued by other threads");
		assertThat(this.jobs.ofAllThreads()).hasEnqueued(Welcome.class).once();
		assertThat(this.jobs.ofAllThreads()).hasEnqueuedNothingElse();
		assertThat(this.jobs.drain().runs()).isEmpty();
		assertThat(this.jobs.ofAllThreads().drain().done()).isOne();
	}

	@Test
	void drainOfAllThreadsAlsoRunsWhatJobsOfOtherThreadsEnqueue() throws InterruptedException {
		Thread thread = new Thread(() -> {
			this.client.enqueue(new Again(2));
			this.client.enqueue(new Failing("elsewhere"));
		});
		thread.start();
		thread.join();
		Drained ran = this.jobs.ofAllThreads().drain(Drain.everything().recursively());
		assertThat(ran.done()).isEqualTo(3);
		assertThat(ran.failed()).isOne();
		assertThat(ChainJobs.RAN).containsExactly("again 2", "again 1", "again 0");
	}

	@Test
	void whatNeedsRedisSaysSo() {
		assertThatThrownBy(() -> this.context.getBean(JobPauses.class).list()).rootCause()
			.hasMessageContaining("mode = REAL");
		assertThatThrownBy(() -> this.context.getBean(RecurringJobs.class).list()).rootCause()
			.hasMessageContaining("mode = REAL");
	}

	@Test
	void noServerAndNoWorkerIsStarted() {
		assertThat(this.context.getBeanProvider(Launcher.class).stream()).isEmpty();
		assertThat(this.context.containsBean("embeddedRedisConnectionDetails")).isFalse();
		assertThat(this.context.getBeanProvider(EmbeddedRedisServer.class).stream()).isEmpty();
	}

	@Test
	void theHealthOfJobsIsNotExamined() {
		assertThat(this.context.getBeanNamesForType(HealthIndicator.class)).doesNotContain("jobsHealthIndicator");
	}

	@Test
	void aPausedContextWorksWhenItIsResumed() {
		this.client.enqueue(new Welcome("ada"));
		this.context.stop();
		this.context.start();
		this.client.enqueue(new Welcome("bob"));
		assertThat(this.jobs).hasEnqueued(Welcome.class).times(2);
		assertThat(this.jobs.drain().done()).isEqualTo(2);
	}

	/** A type whose method is not a job. */
	interface SignUpTests {

		void run();

	}

}
