package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.JobRunner.Claimed;
import io.github.steadyjobs.server.JobRunner.Ran;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobRunner}. The tests of {@link Processor} cover what happens within a
 * run.
 */
class JobRunnerTests {

	private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1000), ZoneOffset.UTC);

	private final List<String> told = new ArrayList<>();

	private TestJobs.Body body = (number, job) -> {
	};

	private final JobRunner runner = runner();

	@AfterEach
	void close() {
		this.runner.close();
	}

	@Test
	void jobThatEndsIsNotStoredAnyMore() {
		this.body = (number, job) -> this.told.add(Thread.currentThread().getName() + " runs " + job.id());
		Ran ran = run("\"retry\":true");
		assertThat(ran.outcome()).isEqualTo(JobOutcome.DONE);
		assertThat(ran.delay()).isNull();
		assertThat(this.told).containsExactly(Thread.currentThread().getName() + " runs a", "settled");
	}

	@Test
	void failedJobIsStoredWithItsFailureBeforeListenersAreTold() {
		this.body = (number, job) -> {
			throw new IllegalStateException("on purpose");
		};
		Ran ran = run("\"retry\":true");
		assertThat(ran.outcome()).isEqualTo(JobOutcome.RETRY);
		assertThat(ran.delay()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
		assertThat(new String(ran.payload(), StandardCharsets.UTF_8)).contains("\"error_message\":\"on purpose\"",
				"\"failed_at\":1000000", "\"at\":" + (1_000_000 + ran.delay().toMillis()));
		assertThat(ran.failure()).hasMessage("on purpose");
		assertThat(this.told).containsExactly("settled", "failed a");
	}

	@Test
	void jobWithoutRetriesIsDead() {
		this.body = (number, job) -> {
			throw new IllegalStateException("on purpose");
		};
		Ran ran = run("\"retry\":0");
		assertThat(ran.outcome()).isEqualTo(JobOutcome.DEAD);
		assertThat(ran.delay()).isNull();
		assertThat(ran.dead().id()).isEqualTo("a");
		assertThat(this.told).containsExactly("settled", "failed a", "died a");
	}

	@Test
	void jobThatIsDiscardedHasFailedUnlessItAskedForThat() {
		this.body = (number, job) -> {
			throw new IllegalStateException("on purpose");
		};
		Ran exhausted = run("\"retry\":0,\"dead\":false");
		assertThat(exhausted.outcome()).isEqualTo(JobOutcome.DISCARDED);
		assertThat(exhausted.failed()).isTrue();
		this.body = (number, job) -> {
			throw new DiscardJobException("on request");
		};
		Ran discarded = run("\"retry\":0,\"dead\":false");
		assertThat(discarded.outcome()).isEqualTo(JobOutcome.DISCARDED);
		assertThat(discarded.failure()).hasMessage("on request");
		assertThat(discarded.failed()).isFalse();
	}

	@Test
	void snoozedJobRunsAgain() {
		this.body = (number, job) -> {
			throw new SnoozeJobException(Duration.ofMinutes(2));
		};
		Ran ran = run("\"retry\":true");
		assertThat(ran.outcome()).isEqualTo(JobOutcome.SNOOZED);
		assertThat(ran.delay()).isEqualTo(Duration.ofMinutes(2));
		assertThat(ran.failure()).isNull();
	}

	@Test
	void jobThatAsksForAPauseIsPutOffAndUsesUpNoRetry() {
		this.body = (number, job) -> {
			throw new PauseQueueException("too many calls", Duration.ofMinutes(3));
		};
		Ran ran = run("\"retry\":0");
		assertThat(ran.outcome()).isEqualTo(JobOutcome.PUT_OFF);
		assertThat(ran.delay()).isEqualTo(Duration.ofMinutes(3));
		assertThat(ran.payload()).isNull();
		assertThat(ran.failed()).isFalse();
	}

	@Test
	void unreadableJobIsDeadAsItIs() {
		List<Ran> all = new ArrayList<>();
		this.runner.run(new Claimed("q", "a", "{".getBytes(StandardCharsets.UTF_8), "", 1), all::add);
		assertThat(all.get(0).outcome()).isEqualTo(JobOutcome.DEAD);
		assertThat(new String(all.get(0).dead().payload(), StandardCharsets.UTF_8)).isEqualTo("{");
	}

	@Test
	void unknownJobIsParked() {
		List<Ran> all = new ArrayList<>();
		this.runner.run(new Claimed("q", "a", """
				{"jid":"a","class":"unknown","args":[]}""".getBytes(StandardCharsets.UTF_8), "", 1), all::add);
		assertThat(all.get(0).outcome()).isEqualTo(JobOutcome.PARKED);
		assertThat(all.get(0).delay()).isNull();
	}

	@Test
	void logContextOfTheCallerIsKept() {
		MDC.put("mine", "1");
		this.body = (number, job) -> this.told.add(MDC.get("jobId"));
		run("\"retry\":true");
		assertThat(this.told).startsWith("a");
		assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("mine", "1"));
		MDC.clear();
	}

	private Ran run(String fields) {
		List<Ran> all = new ArrayList<>();
		byte[] payload = """
				{"jid":"a","class":"test.job","args":[1],"queue":"q",%s,"created_at":1,"enqueued_at":1}"""
			.formatted(fields)
			.getBytes(StandardCharsets.UTF_8);
		this.runner.run(new Claimed("q", "a", payload, "", 1), (ran) -> {
			this.told.add("settled");
			all.add(ran);
		});
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	private JobRunner runner() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("testJobs", new TestJobs((number, job) -> this.body.run(number, job)));
		JobExecution execution = new JobExecution(
				new JobRegistry(beans, Map.of(), IdempotenceDefaults.STANDARD, WorkerFixture.JSON),
				new PayloadCodec(WorkerFixture.JSON), List.of(new JobLogContext()), List.of(),
				(count, job, failure) -> Duration.ofSeconds(1), List.of(new Told()), List.of());
		return new JobRunner(execution, new Failures(25, 0), CLOCK);
	}

	private final class Told implements JobListener {

		@Override
		public void failed(JobPayload job, Throwable failure) {
			JobRunnerTests.this.told.add("failed " + job.id());
		}

		@Override
		public void died(JobPayload job, Throwable reason) {
			JobRunnerTests.this.told.add("died " + job.id());
		}

	}

}
