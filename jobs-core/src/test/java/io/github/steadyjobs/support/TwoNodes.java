package io.github.steadyjobs.support;

import java.time.Duration;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;

/**
 * A cluster of two nodes, with all slots on the first node.
 */
public final class TwoNodes implements AutoCloseable {

	private final OwnRedis first = startNode();

	private final OwnRedis second = startNode();

	private final RedisClient client = RedisClient.create();

	private final RedisCommands<String, String> onFirst = commands(this.first);

	private final RedisCommands<String, String> onSecond = commands(this.second);

	private final TestRedis redis;

	private TwoNodes() {
		this.onFirst.clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
		this.onFirst.clusterMeet(this.second.host(), this.second.port());
		awaitBoth("cluster_known_nodes:2");
		awaitBoth("cluster_state:ok");
		this.redis = new TestRedis(ConnectionFactories.cluster(this.first.host(), this.first.port()), this.first.url());
	}

	/**
	 * Start both nodes.
	 * @return the cluster, ready to serve
	 */
	public static TwoNodes start() {
		return new TwoNodes();
	}

	private static OwnRedis startNode() {
		return OwnRedis.start("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1",
				"--repl-diskless-sync-delay", "0");
	}

	private RedisCommands<String, String> commands(OwnRedis node) {
		StatefulRedisConnection<String, String> connection = this.client.connect(RedisURI.create(node.url()));
		return connection.sync();
	}

	private void awaitBoth(String state) {
		// A node that has just started waits two seconds before it serves requests.
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.onFirst.clusterInfo().contains(state) && this.onSecond.clusterInfo().contains(state));
	}

	/**
	 * Make the second node a replica of the first.
	 */
	public void replicate() {
		this.onSecond.clusterReplicate(this.onFirst.clusterMyId());
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.first.info("replication").getProperty("slave0", ""), (it) -> it.contains("online"));
	}

	/**
	 * Move an empty slot to the second node.
	 * @param slot the number of the slot
	 */
	public void move(int slot) {
		String id = this.onSecond.clusterMyId();
		this.onSecond.clusterSetSlotNode(slot, id);
		this.onFirst.clusterSetSlotNode(slot, id);
		awaitBoth("cluster_size:2");
	}

	/**
	 * Begin to move a slot to the second node. Until the move ends, the first node
	 * redirects clients to the second node if they ask for a key that does not exist.
	 * @param slot the number of the slot
	 */
	public void beginMove(int slot) {
		this.onSecond.clusterSetSlotImporting(slot, this.onFirst.clusterMyId());
		this.onFirst.clusterSetSlotMigrating(slot, this.onSecond.clusterMyId());
	}

	/**
	 * Unassign a slot, so that no node serves it.
	 * @param slot the number of the slot
	 */
	public void abandon(int slot) {
		this.onFirst.clusterDelSlots(slot);
	}

	/**
	 * Return a view of the cluster with a separate key prefix.
	 * @return the view, which is the same each time
	 */
	public TestRedis redis() {
		return this.redis;
	}

	public OwnRedis first() {
		return this.first;
	}

	public OwnRedis second() {
		return this.second;
	}

	@Override
	public void close() {
		this.redis.connections().close();
		this.redis.connectionFactory().destroy();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.second.close();
		this.first.close();
	}

}
