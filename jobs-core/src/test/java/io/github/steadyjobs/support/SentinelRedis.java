package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A server with a replica, and a Sentinel that promotes the replica when the server has
 * been unreachable for half a second.
 */
public final class SentinelRedis implements AutoCloseable {

	/** The name under which the Sentinel knows the primary. */
	public static final String MASTER = "jobs";

	private final Closer closer;

	private final ReplicatedRedis servers;

	private final int port = freePort();

	private final Path directory;

	private final Process sentinel;

	private SentinelRedis(Function<OwnRedis, Path> program, Closer closer) throws IOException {
		this.closer = closer;
		this.servers = closer.register(ReplicatedRedis.start());
		this.directory = Files.createTempDirectory("sentinel");
		closer.register(() -> FileSystemUtils.deleteRecursively(this.directory));
		Path configuration = Files.writeString(this.directory.resolve("sentinel.conf"), """
				port %d
				bind 127.0.0.1
				dir %s
				sentinel monitor %s 127.0.0.1 %d 1
				sentinel down-after-milliseconds %s 500
				sentinel failover-timeout %s 3000
				""".formatted(this.port, this.directory, MASTER, this.servers.primary().port(), MASTER, MASTER));
		this.sentinel = new ProcessBuilder(program.apply(this.servers.primary()).toString(), configuration.toString(),
				"--sentinel")
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
		closer.register(() -> this.sentinel.destroyForcibly().onExit().join());
		awaitLog("+slave ");
	}

	/**
	 * Start all three processes, and wait until the Sentinel knows the replica.
	 * @return the running servers
	 */
	public static SentinelRedis start() {
		return start(OwnRedis::executable);
	}

	static SentinelRedis start(Function<OwnRedis, Path> program) {
		return Closer.open((closer) -> {
			try {
				return new SentinelRedis(program, closer);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/**
	 * Return the initial primary and its replica.
	 * @return both servers
	 */
	public ReplicatedRedis servers() {
		return this.servers;
	}

	/**
	 * Return the address of the Sentinel.
	 * @return the host and port, in the format of
	 * {@code spring.data.redis.sentinel.nodes}
	 */
	public String node() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Create a connection factory that asks the Sentinel for the primary.
	 * @return the started factory, to be destroyed by the caller
	 */
	public LettuceConnectionFactory connectionFactory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisSentinelConfiguration(MASTER, Set.of(node())));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Kill the primary, and wait until the replica has taken over.
	 */
	public void failOver() {
		this.servers.primary().kill();
		awaitLog("+switch-master");
	}

	private void awaitLog(String text) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			String log = log();
			if (!this.sentinel.isAlive()) {
				throw new IllegalStateException("The Sentinel has ended: " + log);
			}
			return log.contains(text);
		});
	}

	private String log() throws IOException {
		return Files.readString(this.directory.resolve("log"));
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.closer.close();
	}

}
