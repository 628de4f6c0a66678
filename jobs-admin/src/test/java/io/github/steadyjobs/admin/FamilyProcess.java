package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringSettings;
import io.github.steadyjobs.recurring.RecurringWorker;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.support.TestRedis;

/**
 * A process that runs {@link FamilyJobs}, either in this JVM or, if it is started by its
 * main method, in a separate JVM.
 */
final class FamilyProcess {

	private FamilyProcess() {
	}

	public static void main(String[] args) throws InterruptedException {
		TestRedis redis = TestRedis.shared(args[0], args[1]);
		start(redis, redis.connections(), args[2]);
		// The worker threads are daemon threads, so this thread must not end.
		Thread.currentThread().join();
	}

	static WorkerFixture start(TestRedis redis, RedisConnections connections, String name) {
		FamilyJobs jobs = new FamilyJobs(redis, name);
		AtomicReference<RecurringWorker> recurring = new AtomicReference<>();
		WorkerFixture workers = WorkerFixture.on(redis)
			.connections(connections)
			.deathAfter(FamiliesIntegrationTests.DEATH_AFTER)
			.capsule("default", 4, Capsule.Order.WEIGHTED, new Capsule.Queue(FamilyJobs.QUEUE, 1),
					new Capsule.Queue(FamilyJobs.ASIDE, 1), Capsule.Queue.inParts(FamilyJobs.ORDERED, 1, 2, 1))
			.bean(jobs)
			.listener(jobs)
			.onEvent((event) -> recurring.get().told(event))
			.build();
		PreparingJobClient client = (PreparingJobClient) workers.client();
		RecurringWorker worker = new RecurringWorker(
				new RecurringJobs(connections, redis.prefix(), client, workers.registry()), client, workers.registry(),
				new RecurringSettings("", null, Map.of(), (text) -> text, Duration.ofMinutes(1)), Stream::of,
				Stream::of);
		worker.setApplicationEventPublisher((event) -> {
		});
		worker.afterSingletonsInstantiated();
		recurring.set(worker);
		return workers.start();
	}

	static RecurringJobs recurring(WorkerFixture workers, TestRedis redis) {
		return new RecurringJobs(redis.connections(), redis.prefix(), workers.client(), workers.registry());
	}

}
