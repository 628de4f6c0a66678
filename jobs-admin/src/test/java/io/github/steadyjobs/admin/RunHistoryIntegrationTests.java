package io.github.steadyjobs.admin;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunHistory}. The tests read the recorded history in the same way as
 * operators do.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class RunHistoryIntegrationTests {

	private static final Instant START = Instant.parse("2026-01-01T23:58:30Z");

	private static final Instant FIRST_MINUTE = Instant.parse("2026-01-01T23:58:00Z");

	private final TestRedis redis;

	private final MutableClock clock = new MutableClock(START);

	private final RunHistory history;

	private final JobHistory read;

	RunHistoryIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.history = new RunHistory(redis.connections(), redis.prefix(), this.clock);
		this.read = new JobHistory(redis.connections(), redis.prefix(), this.clock);
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void runsAreCountedByJobAndOutcomeWithTheirTimes() {
		this.history.started(job("mail"), Duration.ofMillis(20));
		this.history.started(job("mail"), Duration.ofMillis(40));
		run("mail", JobOutcome.DONE, Duration.ofMillis(4));
		run("mail", JobOutcome.RETRY, Duration.ofMillis(6));
		run("mail", JobOutcome.DEAD, Duration.ofMinutes(20));
		run("mail", JobOutcome.DISCARDED, Duration.ofNanos(500));
		run("other", JobOutcome.DONE, Duration.ofMillis(1));
		flush();
		RunTotals mail = this.read.minutes("mail", START, START).get(FIRST_MINUTE);
		assertThat(minutes().get(FIRST_MINUTE)).isEqualTo(mail.plus(totalsOf("other")));
		assertThat(mail.runs()).isEqualTo(4);
		assertThat(mail.failed()).isEqualTo(3);
		assertThat(mail.dead()).isOne();
		assertThat(mail.discarded()).isOne();
		assertThat(mail.ran()).isEqualTo(Duration.ofMillis(1_200_010));
		assertThat(mail.begun()).isEqualTo(2);
		assertThat(mail.meanWait()).isEqualTo(Duration.ofMillis(30));
		assertThat(mail.histogram()).isEqualTo(histogram(0, 3, 4, 25));
	}

	@Test
	void runsThatDidNotEndByThemselvesAreNotCounted() {
		for (JobOutcome outcome : JobOutcome.values()) {
			if (!List.of(JobOutcome.DONE, JobOutcome.RETRY, JobOutcome.DEAD, JobOutcome.DISCARDED).contains(outcome)) {
				run("mail", outcome, Duration.ofMillis(1));
			}
		}
		flush();
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void runCountsInTheMinuteInWhichItEndedHoweverLateTheFlush() {
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		flush();
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		this.clock.advance(Duration.ofMinutes(1));
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		this.clock.advance(Duration.ofMinutes(1));
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		flush();
		flush();
		assertThat(minutes()).hasSize(3);
		assertThat(minutes().values()).extracting(RunTotals::runs).containsExactly(2L, 1L, 1L);
		assertThat(this.read.days("mail", LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 2)).values())
			.extracting(RunTotals::runs)
			.containsExactly(3L, 1L);
	}

	@Test
	void timesOfShortRunsAddUp() {
		for (int i = 0; i < 3000; i++) {
			run("mail", JobOutcome.DONE, Duration.ofNanos(400_000));
			if (i % 1000 == 0) {
				flush();
			}
		}
		flush();
		assertThat(totalsOf("mail").ran()).isEqualTo(Duration.ofMillis(1200));
	}

	@Test
	void countsOfSeveralProcessesAddUp() {
		RunHistory other = new RunHistory(this.redis.connections(), this.redis.prefix(), this.clock);
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		other.ended(job("mail"), JobOutcome.RETRY, Duration.ofMillis(1));
		flush();
		other.flush().join();
		assertThat(totalsOf("mail").runs()).isEqualTo(2);
		assertThat(totalsOf("mail").failed()).isOne();
	}

	@Test
	void runsThatEndWhileOthersFlushAreCountedOnceEach() throws InterruptedException {
		int threads = 4;
		int runs = 20_000;
		CountDownLatch running = new CountDownLatch(threads);
		List<Thread> all = IntStream.range(0, threads).mapToObj((number) -> new Thread(() -> {
			for (int i = 0; i < runs; i++) {
				run("job" + (i % 3), JobOutcome.DONE, Duration.ofMillis(1));
				if (i % 5000 == 0) {
					// In total, the clock advances by less than a minute. A thread that
					// is delayed for longer could add counts to a minute that is no
					// longer flushed.
					this.clock.advance(Duration.ofSeconds(3));
				}
			}
			running.countDown();
		})).toList();
		all.forEach(Thread::start);
		while (running.getCount() > 0) {
			flush();
		}
		flush();
		assertThat(this.read.names(START, START.plus(Duration.ofHours(1)))).hasSize(3)
			.extracting((job) -> job.totals().runs())
			.satisfies((counts) -> assertThat(counts.stream().mapToLong((count) -> count).sum())
				.isEqualTo((long) threads * runs));
	}

	@Test
	void minutesThatCannotBeFlushedAreKeptForAnHour() {
		for (int minute = 0; minute < 100; minute++) {
			run("mail", JobOutcome.DONE, Duration.ofMillis(1));
			this.clock.advance(Duration.ofMinutes(1));
		}
		flush();
		assertThat(minutes()).hasSize(60).containsKey(FIRST_MINUTE.plus(Duration.ofMinutes(99)));
	}

	@Test
	void flushWhenReplyIsLostIsNotRepeated(CapturedOutput output) {
		// After this run, the server knows the script, so a single call is enough.
		run("warm-up", JobOutcome.DONE, Duration.ofMillis(1));
		flush();
		try (TcpRelay relay = TcpRelay.to(this.redis);
				RedisConnections connections = relay.connections(Duration.ofSeconds(5))) {
			RunHistory disturbed = new RunHistory(connections, this.redis.prefix(), this.clock);
			relay.loseReplyTo("mail");
			disturbed.ended(job("mail"), JobOutcome.DONE, Duration.ofMillis(1));
			disturbed.flush().join();
			assertThat(relay.lostReplies()).isOne();
			assertThat(output).containsOnlyOnce("Some of the history of jobs could not be written");
			disturbed.ended(job("mail"), JobOutcome.DONE, Duration.ofMillis(1));
			disturbed.flush().join();
		}
		assertThat(totalsOf("mail").runs()).isEqualTo(2);
	}

	@Test
	void toldWhenWorkersHaveStoppedFlushes() {
		run("mail", JobOutcome.DONE, Duration.ofMillis(1));
		this.history.told(new WorkerEvent.Beat("process"));
		assertThat(minutes()).as("minutes written before ten seconds have passed").isEmpty();
		this.history.told(new WorkerEvent.Stopped("process", 0));
		assertThat(minutes()).hasSize(1);
	}

	private void run(String name, JobOutcome outcome, Duration ran) {
		this.history.ended(job(name), outcome, ran);
	}

	private void flush() {
		CompletableFuture<Void> flushed = this.history.flush();
		assertThat(flushed).succeedsWithin(Duration.ofSeconds(10));
	}

	private Map<Instant, RunTotals> minutes() {
		return this.read.minutes(START, START.plus(Duration.ofHours(3)));
	}

	private RunTotals totalsOf(String name) {
		return this.read.minutes(name, START, START.plus(Duration.ofHours(3)))
			.values()
			.stream()
			.reduce(RunTotals.NONE, RunTotals::plus);
	}

	private static List<Long> histogram(Integer... classes) {
		return IntStream.range(0, 26).mapToObj((i) -> List.of(classes).contains(i) ? 1L : 0L).toList();
	}

	private static JobContext job(String name) {
		return (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
				new Class<?>[] { JobContext.class }, (proxy, method, arguments) -> name);
	}

}
