package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.observation.ReliabilityMetrics;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.server.WorkerSettings.Thresholds;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the messages that {@link RunWatch} logs about runs.
 */
@RedisTest
class RunWatchIntegrationTests {

	private static final Duration NEVER = Duration.ZERO;

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.steadyjobs.runs");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final TestRedis redis;

	RunWatchIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeEach
	void listen() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void listenNoMore() {
		this.logger.detachAppender(this.log);
	}

	@Test
	@DisplayName("SK-41, SK-43: if enabled, the beginning and the end of each run are logged, with the log context and a trace")
	void runWhenLoggedHasALineAtItsBeginningAndAtItsEnd() {
		try (WorkerFixture worker = worker(new Oversight("", "", true, new Thresholds(NEVER, NEVER), Map.of()))) {
			String id = worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			String failing = worker.enqueue("q", 1);
			worker.awaitOnlyDead("q", failing);
			assertThat(this.log.list).extracting(ILoggingEvent::getFormattedMessage)
				.satisfiesExactly(
						(line) -> assertThat(line)
							.isEqualTo("Job %s[%s] of queue q begins attempt 1 of 26".formatted(TestJobs.NAME, id)),
						(line) -> assertThat(line).matches(
								"Job %s\\[%s] of queue q is done after \\d+\\.\\d{3} s".formatted(TestJobs.NAME, id)),
						(line) -> assertThat(line).contains(failing + "] of queue q begins"),
						(line) -> assertThat(line).contains(
								failing + "] of queue q has thrown " + KillJobException.class.getName() + " after "));
			assertThat(this.log.list).allSatisfy((line) -> {
				assertThat(line.getLevel()).isEqualTo(Level.INFO);
				assertThat(line.getMDCPropertyMap()).containsEntry("jobName", TestJobs.NAME)
					.containsEntry("traceId", "4bf92f3577b34da6");
			});
		}
	}

	@Test
	@DisplayName("SK-41: runs are not logged by default")
	void runWhenNotLoggedSaysNothing() {
		try (WorkerFixture worker = worker(Oversight.NONE)) {
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			assertThat(this.log.list).isEmpty();
		}
	}

	@Test
	void runWhenSlowerThanItsJobMayBeIsReportedAndCounted() {
		Thresholds usual = new Thresholds(Duration.ofHours(1), NEVER);
		try (WorkerFixture worker = worker(new Oversight("", "", false, usual,
				Map.of(TestJobs.NAME, new Thresholds(Duration.ofMillis(5), NEVER))))) {
			String id = worker.enqueue("q", 10);
			worker.awaitEmpty("q");
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.SlowRun.class).isEmpty());
			WorkerEvent.SlowRun event = worker.events(WorkerEvent.SlowRun.class).get(0);
			assertThat(event).isEqualTo(new WorkerEvent.SlowRun("q", TestJobs.NAME, id, event.ran()));
			assertThat(event.ran()).isGreaterThanOrEqualTo(Duration.ofMillis(10));
			ILoggingEvent line = this.log.list.get(0);
			assertThat(line.getLevel()).isEqualTo(Level.WARN);
			assertThat(line.getFormattedMessage()).contains(id + "] of queue q is done after ")
				.endsWith(" s, which is slow: more than 0.005 s");
			assertThat(line.getMDCPropertyMap()).containsEntry("jobId", id)
				.containsEntry("traceId", "4bf92f3577b34da6");
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			new ReliabilityMetrics(registry).told(event);
			new ReliabilityMetrics(registry)
				.told(new WorkerEvent.StuckRun("q", TestJobs.NAME, id, Duration.ofHours(1)));
			assertThat(registry.get("jobs.slow").tags("queue", "q", "job", TestJobs.NAME).counter().count()).isOne();
			assertThat(registry.get("jobs.stuck").tags("queue", "q", "job", TestJobs.NAME).counter().count()).isOne();
		}
	}

	@Test
	void runWhenAsFastAsItHasToBeIsNotReported() {
		Thresholds usual = new Thresholds(Duration.ofMillis(1), NEVER);
		try (WorkerFixture worker = worker(new Oversight("", "", false, usual,
				Map.of(TestJobs.NAME, new Thresholds(Duration.ofHours(1), NEVER))))) {
			worker.enqueue("q", 10);
			worker.awaitEmpty("q");
			assertThat(this.log.list).isEmpty();
		}
	}

	/**
	 * Start a worker on which each job takes as many milliseconds as its number says,
	 * except that job number 1 dies at once.
	 */
	private WorkerFixture worker(Oversight oversight) {
		return WorkerFixture.on(this.redis)
			.oversight(oversight)
			.interceptor(new JobLogContext())
			.interceptor((job, chain) -> {
				MDC.put("traceId", "4bf92f3577b34da6");
				chain.proceed();
			})
			.capsule(1, "q")
			.jobs((number, job) -> {
				if (number == 1) {
					throw new KillJobException("it has to die");
				}
				long end = System.nanoTime() + Duration.ofMillis(number).toNanos();
				while (System.nanoTime() - end < 0) {
					LockSupport.parkNanos(end - System.nanoTime());
				}
			})
			.start();
	}

}
