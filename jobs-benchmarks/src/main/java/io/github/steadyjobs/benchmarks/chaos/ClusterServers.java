package io.github.steadyjobs.benchmarks.chaos;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster of three masters and three replicas, whose masters can be killed.
 */
final class ClusterServers implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final RedisClient client = RedisClient.create();

	private final List<EmbeddedRedisServer> servers = new ArrayList<>();

	private final Map<EmbeddedRedisServer, StatefulRedisConnection<String, String>> connections = new LinkedHashMap<>();

	private ClusterServers() {
		try {
			for (int i = 0; i < 2 * MASTERS; i++) {
				EmbeddedRedisServer server = EmbeddedRedisServer.builder()
					.arguments("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1",
							"--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no",
							"--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0", "--appendonly",
							"yes", "--auto-aof-rewrite-percentage", "0")
					.start();
				this.servers.add(server);
				connect(server);
			}
			form();
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	static ClusterServers start() {
		return new ClusterServers();
	}

	private void form() {
		for (int i = 0; i < MASTERS; i++) {
			RedisCommands<String, String> master = commands(this.servers.get(i));
			master.clusterSetConfigEpoch(i + 1);
			master.clusterAddSlots(
					IntStream.range(SlotHash.SLOT_COUNT * i / MASTERS, SlotHash.SLOT_COUNT * (i + 1) / MASTERS)
						.toArray());
		}
		this.servers.forEach((server) -> commands(this.servers.get(0)).clusterMeet(server.host(), server.port()));
		await(() -> this.servers.stream()
			.allMatch((server) -> commands(server).clusterInfo().contains("cluster_known_nodes:" + 2 * MASTERS)));
		for (int i = 0; i < MASTERS; i++) {
			String master = commands(this.servers.get(i)).clusterMyId();
			RedisCommands<String, String> replica = commands(this.servers.get(MASTERS + i));
			await(() -> replica.clusterReplicate(master).equals("OK"));
		}
		await(this::isWhole);
	}

	/**
	 * Return the addresses of the nodes.
	 */
	List<URI> addresses() {
		return this.servers.stream().map(EmbeddedRedisServer::uri).toList();
	}

	/**
	 * Kill the master that serves a queue, unless a killed master has not been replaced
	 * yet. First wait until the replica has everything that the master has confirmed,
	 * because losses through asynchronous replication are not faults of this library.
	 * @return the server that was killed, {@code null} if no server was killed
	 */
	synchronized @Nullable EmbeddedRedisServer killMasterOf(String queue) {
		if (!isWhole()) {
			return null;
		}
		EmbeddedRedisServer master = masterOf(queue);
		if (master == null) {
			return null;
		}
		commands(master).dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.ASCII),
				new CommandArgs<>(StringCodec.ASCII).add("PAUSE").add(LIMIT.toMillis()).add("WRITE"));
		await(() -> {
			String info = commands(master).info("replication");
			return info.contains("offset=" + value(info, "master_repl_offset") + ",");
		});
		kill(master);
		return master;
	}

	private void kill(EmbeddedRedisServer master) {
		StatefulRedisConnection<String, String> connection = this.connections.remove(master);
		if (connection != null) {
			connection.close();
		}
		master.kill();
	}

	/**
	 * Kill the master that serves a queue, and start it again with the data that it had
	 * some time earlier, unless its replica takes over first.
	 * @return the period whose data was lost, {@code null} if a node that was killed
	 * earlier is not back yet
	 */
	synchronized WrittenData.@Nullable Loss bringBackOlderData(String queue, long millis) {
		EmbeddedRedisServer master = isWhole() ? masterOf(queue) : null;
		return (master != null) ? WrittenData.lose(master, millis, () -> kill(master), () -> restart(master)) : null;
	}

	/**
	 * Wait until a running node serves a queue.
	 */
	synchronized void awaitMasterOf(String queue) {
		await(() -> masterOf(queue) != null);
	}

	/**
	 * Start a killed server again, as a replica of the server that replaced it.
	 */
	synchronized void restart(EmbeddedRedisServer server) {
		server.restart();
		connect(server);
		await(this::isWhole);
	}

	/**
	 * Return the node that serves a queue.
	 * @return the node; {@code null} if the running nodes do not agree on one that is
	 * running
	 */
	private @Nullable EmbeddedRedisServer masterOf(String queue) {
		int slot = SlotHash.getSlot("{" + queue + "}");
		List<Integer> told = this.connections.values().stream().map((connection) -> {
			RedisClusterNode node = ClusterPartitionParser.parse(connection.sync().clusterNodes())
				.getMasterBySlot(slot);
			return (node != null) ? node.getUri().getPort() : -1;
		}).distinct().toList();
		return this.connections.keySet()
			.stream()
			.filter((server) -> told.equals(List.of(server.port())))
			.findFirst()
			.orElse(null);
	}

	private boolean isWhole() {
		return this.connections.size() == this.servers.size()
				&& this.connections.values().stream().allMatch((connection) -> {
					String info = connection.sync().info("replication");
					boolean follows = value(info, "role").equals("master") ? info.contains("state=online")
							: value(info, "master_link_status").equals("up");
					return follows && connection.sync().clusterInfo().contains("cluster_state:ok");
				});
	}

	private static String value(String info, String name) {
		return info.lines()
			.filter((line) -> line.startsWith(name + ":"))
			.map((line) -> line.substring(name.length() + 1))
			.findFirst()
			.orElse("");
	}

	private void connect(EmbeddedRedisServer server) {
		this.connections.put(server, this.client.connect(RedisURI.create(server.uri())));
	}

	private RedisCommands<String, String> commands(EmbeddedRedisServer server) {
		StatefulRedisConnection<String, String> connection = this.connections.get(server);
		if (connection == null) {
			throw new IllegalStateException("The server does not run");
		}
		return connection.sync();
	}

	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (!holds(condition)) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("The cluster does not come to rest");
			}
			try {
				Thread.sleep(20);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting for the cluster", ex);
			}
		}
	}

	private static boolean holds(BooleanSupplier condition) {
		try {
			return condition.getAsBoolean();
		}
		catch (RedisException ex) {
			// A node refuses to follow another node that it does not know yet.
			return false;
		}
	}

	@Override
	public void close() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.servers.forEach(EmbeddedRedisServer::kill);
		this.servers.forEach(EmbeddedRedisServer::close);
	}

}
