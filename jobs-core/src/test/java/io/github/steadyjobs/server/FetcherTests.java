package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.definition.JobCollector;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what ends a {@link Fetcher}, and what does not. Nothing is sent to Redis.
 */
class FetcherTests {

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	@AfterEach
	void close() {
		this.scheduler.shutdownNow();
	}

	@Test
	@DisplayName("SK-16: what escapes in an internal thread goes to the error handlers, and the thread goes on")
	void runWhenSomethingUnexpectedHappensTellsAndGoesOn() {
		RuntimeException failure = new IllegalStateException("broken");
		List<Throwable> told = new CopyOnWriteArrayList<>();
		FetchGate gate = new FetchGate(1);
		Outage outage = new Outage((ex) -> {
			told.add(ex);
			if (told.size() == 2) {
				gate.close();
			}
		});
		fetcher(gate, outage, (workers) -> {
			throw failure;
		}).run();
		assertThat(told).containsExactly(failure, failure);
	}

	private Fetcher fetcher(FetchGate gate, Outage outage, QueueOrder order) {
		PayloadCodec codec = new PayloadCodec(WorkerFixture.JSON);
		JobExecution execution = new JobExecution(
				new JobCollector(new DefaultListableBeanFactory(), Map.of(), WorkerFixture.JSON).registry(), codec,
				List.of(), List.of(), RetryDelay.sidekiq(), JobExecution.Handlers.NONE);
		WorkerParts parts = UnconnectedParts.of(execution, outage, this.scheduler, () -> false);
		Acknowledger acknowledger = new Acknowledger(parts.store(), this.scheduler, (work, settlement) -> {
		});
		Capsule capsule = new Capsule("c", 1, Order.STRICT, List.of(new Queue("q", 1)));
		Claimer claimer = new Claimer(parts, acknowledger, new FetchWatch("c", parts.events(), System::nanoTime),
				capsule, (works) -> {
				});
		return new Fetcher(gate, claimer, order, parts.store().wakeLine(List.of("q")), acknowledger, outage);
	}

}
