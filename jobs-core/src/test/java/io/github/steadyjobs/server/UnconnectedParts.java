package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.WorkStore;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What managers share, without a Redis.
 */
final class UnconnectedParts {

	private UnconnectedParts() {
	}

	static WorkerParts of(JobExecution execution, Outage outage, ScheduledExecutorService scheduler,
			BooleanSupplier stopping) {
		WorkStore store = new WorkStore(new RedisConnections(new LettuceConnectionFactory()), "unused");
		WorkerEvents events = new WorkerEvents((event) -> {
		});
		DataWatch data = new DataWatch(events);
		JobRetry retry = new JobRetry(execution.retryDelay(), execution.codec(), Clock.systemUTC(), 25, 5);
		WorkerSettings settings = new WorkerSettings(List.of(), Duration.ZERO,
				new Liveness(Duration.ofSeconds(1), Duration.ofSeconds(4), 3), new DeadLimits(1, Duration.ofDays(1)),
				25, 5);
		Memberships memberships = new Memberships(store.liveness(settings.dead()), "p", data, events);
		Hooks hooks = new Hooks(execution, Thread::new);
		Burial burial = new Burial(store, settings.dead(), hooks, execution.codec(), Clock.systemUTC());
		return new WorkerParts(store, execution, settings, retry, burial, memberships, new SuspectLane(memberships),
				data, new ClockWatch(events), events, outage, scheduler, (queues) -> List.of(), (queue) -> "", hooks,
				stopping);
	}

}
