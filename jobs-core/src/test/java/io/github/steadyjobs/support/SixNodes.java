package io.github.steadyjobs.support;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A cluster of six processes: the first three are masters with a third of the slots each,
 * and the others are their replicas in the same order. A replica takes over from a master
 * that has been gone for two seconds. Other slots are served in the meantime.
 */
public final class SixNodes implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final String HOST = "127.0.0.1";

	private final RedisClient client = RedisClient.create();

	private final List<EmbeddedRedisServer> servers = new ArrayList<>();

	private final List<@Nullable StatefulRedisConnection<String, String>> connections = new ArrayList<>();

	private final List<LettuceConnectionFactory> factories = new ArrayList<>();

	private final Set<Integer> frozen = new HashSet<>();

	private final TestRedis redis;

	private SixNodes() {
		try {
			for (int node = 0; node < 2 * MASTERS; node++) {
				this.servers.add(startServer());
				this.connections.add(connect(this.servers.get(node)));
			}
			form();
			this.redis = view(refreshing());
		}
		catch (RuntimeException ex) {
			stopServers();
			throw ex;
		}
	}

	/**
	 * Start the cluster, and wait until all slots are served.
	 * @return the running cluster
	 */
	public static SixNodes start() {
		return new SixNodes();
	}

	private static EmbeddedRedisServer startServer() {
		return EmbeddedRedisServer.builder()
			.arguments("--cluster-enabled", "yes", "--cluster-announce-ip", HOST, "--cluster-node-timeout", "2000",
					"--cluster-require-full-coverage", "no", "--cluster-replica-validity-factor", "0",
					"--repl-diskless-sync-delay", "0")
			.start();
	}

	private StatefulRedisConnection<String, String> connect(EmbeddedRedisServer server) {
		return this.client.connect(RedisURI.create(server.uri()));
	}

	private void form() {
		for (int master = 0; master < MASTERS; master++) {
			int from = firstSlot(master);
			commands(master).clusterSetConfigEpoch(master + 1);
			commands(master).clusterAddSlots(IntStream.range(from, firstSlot(master + 1)).toArray());
		}
		for (int node = 1; node < this.servers.size(); node++) {
			commands(0).clusterMeet(HOST, this.servers.get(node).port());
		}
		await().until(() -> all((node) -> commands(node).clusterInfo().contains("cluster_known_nodes:6")));
		for (int master = 0; master < MASTERS; master++) {
			String id = commands(master).clusterMyId();
			int replica = MASTERS + master;
			// The node may not know yet that the other node is a master.
			await().ignoreExceptionsInstanceOf(RedisException.class)
				.until(() -> commands(replica).clusterReplicate(id).equals("OK"));
		}
		awaitWhole();
	}

	/**
	 * Return a view whose set of queues is on the last master, so that tests know which
	 * kill affects this set.
	 */
	private TestRedis view(LettuceConnectionFactory factory) {
		return Stream.generate(() -> new TestRedis(factory, this.servers.get(0).uri().toString()))
			.filter((view) -> SlotHash.getSlot(view.prefix() + ":queues") >= firstSlot(MASTERS - 1))
			.findFirst()
			.orElseThrow();
	}

	private static int firstSlot(int master) {
		return SlotHash.SLOT_COUNT * master / MASTERS;
	}

	/**
	 * Wait until each master has a connected replica.
	 */
	public void awaitWhole() {
		await().until(() -> all((node) -> commands(node).clusterInfo().contains("cluster_state:ok")));
		await().until(() -> all((node) -> {
			Properties info = replication(node);
			return "master".equals(info.getProperty("role")) ? info.getProperty("slave0", "").contains("state=online")
					: "up".equals(info.getProperty("master_link_status"));
		}));
	}

	/**
	 * Return a view of the cluster with a separate key prefix, which finds new masters.
	 * Keys that do not belong to a queue are on the last master.
	 * @return the view, which is the same each time
	 */
	public TestRedis redis() {
		return this.redis;
	}

	/**
	 * Return a new factory with the configuration of an application that lists all nodes
	 * and has no other settings.
	 * @param commandTimeout the command timeout
	 * @return the started factory, destroyed with the cluster
	 */
	public LettuceConnectionFactory connectionFactory(Duration commandTimeout) {
		return factory(LettuceClientConfiguration.builder(), commandTimeout);
	}

	private LettuceConnectionFactory refreshing() {
		return factory(LettuceClientConfiguration.builder()
			.clientOptions(ClusterClientOptions.builder()
				.topologyRefreshOptions(
						ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(Duration.ofMillis(500)).build())
				.build()), ConnectionFactories.COMMAND_TIMEOUT);
	}

	private LettuceConnectionFactory factory(LettuceClientConfiguration.LettuceClientConfigurationBuilder configuration,
			Duration commandTimeout) {
		LettuceConnectionFactory factory = ConnectionFactories.start(new RedisClusterConfiguration(nodes()),
				configuration, commandTimeout);
		this.factories.add(factory);
		return factory;
	}

	/**
	 * Return the addresses of all nodes.
	 * @return hosts and ports, in the format of {@code spring.data.redis.cluster.nodes}
	 */
	public List<String> nodes() {
		return this.servers.stream().map((server) -> HOST + ":" + server.port()).toList();
	}

	/**
	 * Return the name of a queue that a master initially serves.
	 * @param master the master, from 0 to 2
	 * @return the name, always the same for a master
	 */
	public String queueOf(int master) {
		return IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> "queue" + i)
			.filter((queue) -> slot(queue) >= firstSlot(master) && slot(queue) < firstSlot(master + 1))
			.findFirst()
			.orElseThrow();
	}

	private static int slot(String queue) {
		return SlotHash.getSlot("{" + queue + "}");
	}

	/**
	 * Return the node that serves a queue.
	 * @param queue the name of the queue
	 * @return the node, from 0 to 5; -1 if the running nodes do not agree on a running
	 * node
	 */
	public int nodeOf(String queue) {
		List<Integer> told = running().map((node) -> nodeOf(queue, node)).distinct().boxed().toList();
		return (told.size() == 1 && isRunning(told.get(0))) ? told.get(0) : -1;
	}

	private int nodeOf(String queue, int asked) {
		RedisClusterNode found = ClusterPartitionParser.parse(commands(asked).clusterNodes())
			.getMasterBySlot(slot(queue));
		return (found != null) ? IntStream.range(0, this.servers.size())
			.filter((node) -> this.servers.get(node).port() == found.getUri().getPort())
			.findFirst()
			.orElse(-1) : -1;
	}

	/**
	 * Kill a master (kill -9) at a moment when its replica has everything that the master
	 * has confirmed. Otherwise, jobs could be lost, because replication is asynchronous;
	 * the tests do not cover such losses.
	 * @param master the number of the node, from 0 to 5
	 */
	public void kill(int master) {
		awaitReplica(master);
		disconnect(master);
		this.servers.get(master).kill();
	}

	private void awaitReplica(int master) {
		commands(master).dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.ASCII),
				new CommandArgs<>(StringCodec.ASCII).add("PAUSE").add(60_000).add("WRITE"));
		await().until(() -> {
			Properties info = replication(master);
			return info.getProperty("slave0", "").contains("offset=" + info.getProperty("master_repl_offset") + ",");
		});
	}

	/**
	 * Start a killed node again. It has lost its data, and becomes a replica of the node
	 * that has taken over.
	 * @param node the number of the node, from 0 to 5
	 */
	public void restart(int node) {
		this.servers.get(node).restart();
		this.connections.set(node, connect(this.servers.get(node)));
	}

	/**
	 * Freeze a master: it accepts connections and requests, but does nothing. As with
	 * {@link #kill}, the replica has everything that the master has confirmed.
	 * @param node the number of the node, from 0 to 5
	 */
	public void freeze(int node) {
		awaitReplica(node);
		disconnect(node);
		signal(node, "STOP");
		this.frozen.add(node);
	}

	/**
	 * Let a node continue after {@link #freeze}.
	 * @param node the number of the node, from 0 to 5
	 */
	public void thaw(int node) {
		signal(node, "CONT");
		this.frozen.remove(node);
		this.connections.set(node, connect(this.servers.get(node)));
		commands(node).dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.ASCII),
				new CommandArgs<>(StringCodec.ASCII).add("UNPAUSE"));
	}

	/**
	 * Wait until the running nodes agree that one of them serves a queue.
	 * @param queue the name of the queue
	 * @return the number of that node, from 0 to 5
	 */
	public int awaitMaster(String queue) {
		return await().until(() -> nodeOf(queue), (node) -> node >= 0);
	}

	private Properties replication(int node) {
		Properties properties = new Properties();
		commands(node).info("replication").lines().map((line) -> line.split(":", 2)).forEach((pair) -> {
			if (pair.length == 2) {
				properties.setProperty(pair[0], pair[1]);
			}
		});
		return properties;
	}

	private RedisCommands<String, String> commands(int node) {
		StatefulRedisConnection<String, String> connection = this.connections.get(node);
		if (connection == null) {
			throw new IllegalStateException("Node " + node + " does not run");
		}
		return connection.sync();
	}

	private void disconnect(int node) {
		StatefulRedisConnection<String, String> connection = this.connections.set(node, null);
		if (connection != null) {
			connection.close();
		}
	}

	private boolean isRunning(int node) {
		return node >= 0 && this.connections.get(node) != null;
	}

	private IntStream running() {
		return IntStream.range(0, this.servers.size()).filter(this::isRunning);
	}

	private boolean all(Predicate<Integer> condition) {
		return running().allMatch(condition::test);
	}

	private void signal(int node, String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.servers.get(node).pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Could not signal the server", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(Duration.ofSeconds(60));
	}

	@Override
	public void close() {
		Set.copyOf(this.frozen).forEach(this::thaw);
		this.redis.connections().close();
		this.factories.forEach(LettuceConnectionFactory::destroy);
		stopServers();
	}

	private void stopServers() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		// The servers are killed, because a regular shutdown would take longer and is not
		// needed.
		this.servers.forEach(EmbeddedRedisServer::kill);
		this.servers.forEach(EmbeddedRedisServer::close);
	}

}
