package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ReplicaWait;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TwoNodes;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.Durability.REPLICATED;
import static io.github.steadyjobs.Durability.STORED;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BulkPush} with jobs that have to be replicated, in a cluster of two
 * nodes.
 */
class ReplicatedPushClusterIntegrationTests {

	private final TwoNodes cluster = TwoNodes.start();

	private final ScriptFixture queue = new ScriptFixture(this.cluster.redis());

	private final ScriptFixture other = this.queue.sibling();

	private final RedisConnections connections = this.cluster.redis().connections();

	private final JobStore store = new JobStore(this.connections, this.cluster.redis().prefix());

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@Test
	void enqueueWhenReplicaOfTheNodeAcknowledgesReachesReplicated() {
		this.cluster.replicate();
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(1)), REPLICATED).reached())
			.isEqualTo(REPLICATED);
		Push push = this.store.enqueueAll(this.other.queue(), List.of(jobs(2, 1500)), REPLICATED);
		assertThat(push.reached()).isEqualTo(REPLICATED);
		assertThat(this.cluster.first().info("commandstats").getProperty("cmdstat_wait")).isNotNull();
	}

	@Test
	void enqueueWhenSlotHasMovedFollowsIt() {
		String prefix = this.cluster.redis().prefix();
		ReplicaWait before = this.connections.replicaWait(prefix, this.queue.queue());
		this.cluster.move(SlotHash.getSlot(this.queue.key("meta")));
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(1)), REPLICATED).reached()).isEqualTo(STORED);
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(jobs(2, 3)), REPLICATED).failure()).isNull();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
		Awaitility.await().until(() -> this.connections.replicaWait(prefix, this.queue.queue()) != before);
		this.store.enqueueAll(this.queue.queue(), List.of(job(4)), REPLICATED).reached();
		assertThat(this.queue.ready()).endsWith(id(4));
		assertThat(this.cluster.second().info("commandstats").getProperty("cmdstat_wait")).isNotNull();
	}

}
