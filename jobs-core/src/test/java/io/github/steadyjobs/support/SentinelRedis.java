package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A server with a replica, and a Sentinel that makes the replica the primary when the
 * server has gone for half a second.
 */
public final class SentinelRedis implements AutoCloseable {

	private static final String MASTER = "jobs";

	private final ReplicatedRedis servers = ReplicatedRedis.start();

	private final int port = freePort();

	private final Path directory;

	private final Process sentinel;

	private SentinelRedis() throws IOException {
		this.directory = Files.createTempDirectory("sentinel");
		Path configuration = Files.writeString(this.directory.resolve("sentinel.conf"), """
				port %d
				bind 127.0.0.1
				dir %s
				sentinel monitor %s 127.0.0.1 %d 1
				sentinel down-after-milliseconds %s 500
				sentinel failover-timeout %s 3000
				""".formatted(this.port, this.directory, MASTER, this.servers.primary().port(), MASTER, MASTER));
		String program = ProcessHandle.of(this.servers.primary().pid())
			.flatMap((process) -> process.info().command())
			.orElseThrow();
		this.sentinel = new ProcessBuilder(program, configuration.toString(), "--sentinel").redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
		Awaitility.await().until(() -> log().contains("+slave "));
	}

	/**
	 * Start all three.
	 * @return the servers, once the Sentinel knows the replica
	 */
	public static SentinelRedis start() {
		try {
			return new SentinelRedis();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the server that is the primary at first, and its replica.
	 * @return both
	 */
	public ReplicatedRedis servers() {
		return this.servers;
	}

	/**
	 * Create a connection factory that asks the Sentinel who the primary is.
	 * @return the started factory, to be destroyed by the caller
	 */
	public LettuceConnectionFactory connectionFactory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisSentinelConfiguration(MASTER, Set.of("127.0.0.1:" + this.port)));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Kill the primary and wait until the replica has taken its place.
	 */
	public void failOver() {
		this.servers.primary().kill();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> log().contains("+switch-master"));
	}

	private String log() throws IOException {
		return Files.readString(this.directory.resolve("log"));
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.sentinel.destroyForcibly().onExit().join();
		this.servers.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
