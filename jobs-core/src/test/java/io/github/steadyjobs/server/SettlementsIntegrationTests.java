package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the reports of {@link Settlements} when another claim holds a job.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class SettlementsIntegrationTests {

	private final TestRedis redis;

	private final List<WorkerEvent> events = new CopyOnWriteArrayList<>();

	private final WorkerEvents publisher = new WorkerEvents(List.of(), this.events::add);

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	SettlementsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void close() {
		this.publisher.close();
		this.scheduler.shutdownNow();
	}

	@Test
	void releaseWhenAnotherHoldsAJobThatHasBegunReportsIt(CapturedOutput output) {
		release(true);
		assertThat(this.events).containsExactly(new WorkerEvent.Refused("q", "a"), new WorkerEvent.Refused("q", "b"));
		assertThat(output).contains("Job b of queue q had been given to another worker when it ended here");
	}

	@Test
	void releaseWhenAnotherHoldsAJobThatHasNotBegunReportsNothing(CapturedOutput output) {
		release(false);
		assertThat(this.events).isEmpty();
		assertThat(output).doesNotContain("ended here");
	}

	private void release(boolean begun) {
		this.redis.template().opsForHash().put(this.redis.key("q", "working"), "a", "another.1/default/1");
		this.redis.template().opsForHash().put(this.redis.key("q", "working"), "b", "another.1/default/2");
		Vitals vitals = new Vitals(new QueueMonitor(this.redis.connections(), this.redis.prefix()), this.publisher,
				(failure) -> {
				}, (version) -> {
				}, Duration.ofMinutes(1));
		Settlements settlements = new Settlements(new WorkStore(this.redis.connections(), this.redis.prefix(), null),
				null, null, vitals, new Repeater(this.scheduler), () -> {
				});
		settlements.release(List.of(work("a"), work("b")), begun);
		WorkerFixture.await().until(() -> settlements.settledEver() == 2);
		assertThat(settlements.unsettled()).isEmpty();
		// Closing the publisher delivers all events that have been published.
		this.publisher.close();
	}

	private static UnitOfWork work(String id) {
		return new UnitOfWork(new ClaimedJob(new JobToken("q", "p.1", id, "default/1"), new byte[0], "", 1, 1), 0, 0);
	}

}
