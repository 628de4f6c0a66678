package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.Durability.REPLICATED;
import static io.github.steadyjobs.Durability.STORED;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BulkPush} with jobs that have to be replicated, on a server that has
 * no replica.
 */
@RedisAndClusterTest
class NoReplicaIntegrationTests {

	private final TestRedis redis;

	private final ScriptFixture queue;

	private final JobStore store;

	NoReplicaIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new ScriptFixture(redis);
		this.store = new JobStore(redis.connections(), redis.prefix());
	}

	@Test
	void enqueueReachesStored() {
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(1)), REPLICATED).reached()).isEqualTo(STORED);
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(2, 60_000)), REPLICATED).reached())
			.isEqualTo(STORED);
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.sorted("scheduled")).containsExactly(ids(2));
	}

	@Test
	void enqueueAllReachesStored() {
		Push push = this.store.enqueueAll(this.queue.queue(), List.of(jobs(1, 2500)), REPLICATED);
		assertThat(push.failure()).isNull();
		assertThat(push.reached()).isEqualTo(STORED);
		assertThat(push.admissions()).hasSize(2500).doesNotContainNull();
		assertThat(this.queue.list("ready")).hasSize(2500);
	}

	@Test
	void enqueueAllWhenThereAreNoneStoresNothing() {
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(), REPLICATED).admissions()).isEmpty();
	}

	@Test
	void closeWhenUsedAgainOpensAnew() {
		RedisConnections connections = this.redis.connections();
		this.store.enqueueAll(this.queue.queue(), List.of(job(1)), REPLICATED).reached();
		connections.close();
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(2)), REPLICATED).reached()).isEqualTo(STORED);
	}

}
