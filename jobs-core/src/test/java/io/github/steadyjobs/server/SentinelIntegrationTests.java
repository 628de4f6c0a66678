package io.github.steadyjobs.server;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.SentinelRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers and clients whose primary is killed while a Sentinel watches it.
 */
@Tag("redis-program")
class SentinelIntegrationTests {

	@Test
	@DisplayName("F35: a failover with a healthy link loses nothing, and requires no restart")
	void failoverLosesNothingThatWasReplicated() {
		Set<Integer> ran = ConcurrentHashMap.newKeySet();
		try (SentinelRedis redis = SentinelRedis.start()) {
			LettuceConnectionFactory factory = redis.connectionFactory();
			RedisConnections connections = new RedisConnections(factory);
			try (WorkerFixture worker = WorkerFixture.on(redis.servers().replica().redis())
				.connections(connections)
				.capsule(3, "q")
				.jobs((number, job) -> ran.add(number))
				.start()) {
				Set<Integer> accepted = new HashSet<>(enqueueReplicated(worker, 200));
				// The replica was connected and healthy, so it has received everything.
				assertThat(accepted).hasSize(200);
				redis.failOver();
				WorkerFixture.await().ignoreExceptionsInstanceOf(JobStoreException.class).until(() -> {
					worker.enqueue("q", 200);
					return true;
				});
				worker.enqueueAll("q", 201, 300);
				accepted.addAll(Runs.numbers(200, 300));
				WorkerFixture.await().untilAsserted(() -> assertThat(ran).containsAll(accepted));
				assertThat(worker.events(WorkerEvent.Recovered.class)).isEmpty();
			}
			finally {
				connections.close();
				factory.destroy();
			}
		}
	}

	private static List<Integer> enqueueReplicated(WorkerFixture worker, int count) {
		return Runs.numbers(0, count).stream().filter((number) -> {
			EnqueueResult result = worker.client()
				.enqueue(WorkerFixture.request("q", number).durability(Durability.REPLICATED));
			return result.durability() == Durability.REPLICATED;
		}).toList();
	}

}
