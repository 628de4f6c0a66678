package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.github.steadyjobs.redis.RedisConnections;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A server of a test's own, for tests that harm it.
 */
public final class OwnRedis implements AutoCloseable {

	private final EmbeddedRedisServer server;

	private final LettuceConnectionFactory connectionFactory;

	private final TestRedis redis;

	private final Closer closer;

	private boolean frozen;

	private OwnRedis(EmbeddedRedisServer.Builder options, Closer closer) {
		this.closer = closer;
		this.server = closer.register(options.start());
		this.connectionFactory = factory(ConnectionFactories.COMMAND_TIMEOUT);
		this.redis = new TestRedis(this.connectionFactory, url());
		closer.register(this.redis.connections());
		verifyIdentity();
	}

	/**
	 * Start a server.
	 * @param arguments more arguments, as on its command line
	 * @return the running server
	 */
	public static OwnRedis start(String... arguments) {
		return start(EmbeddedRedisServer.builder().arguments(arguments));
	}

	/**
	 * Start a server that is another program than that of other tests.
	 */
	static OwnRedis startExecutable(Path executable) {
		return start(EmbeddedRedisServer.builder().executable(executable.toString()));
	}

	private static OwnRedis start(EmbeddedRedisServer.Builder options) {
		return Closer.open((closer) -> new OwnRedis(options, closer));
	}

	/**
	 * Start a server that writes everything down before it answers, and so has it back
	 * after a restart.
	 * @return the running server
	 */
	public static OwnRedis startDurable() {
		return start("--appendonly", "yes", "--appendfsync", "always");
	}

	/**
	 * Return a view of this server with a separate prefix.
	 * @return the view
	 */
	public TestRedis redis() {
		return this.redis;
	}

	public String url() {
		return this.server.uri().toString();
	}

	public String host() {
		return this.server.host();
	}

	public int port() {
		return this.server.port();
	}

	public long pid() {
		return this.server.pid();
	}

	/**
	 * Return the program of the server, under the name that it was started by. The
	 * process table may know it by another: the redis-server of Debian is a link to
	 * redis-check-rdb, and does what the name says that it is called by.
	 * @return the path
	 */
	Path executable() {
		return this.server.executable();
	}

	/**
	 * Stop the server the way an administrator would.
	 */
	public void stop() {
		this.server.stop();
	}

	/**
	 * Kill the server.
	 */
	public void kill() {
		this.server.kill();
		this.frozen = false;
	}

	/**
	 * Stop the server and copy what it has written down.
	 * @param target where to copy it, an empty directory
	 */
	public void stopAndSave(Path target) {
		stop();
		copy(this.server.directory(), target);
	}

	/**
	 * Stop the server and start it again with what was {@linkplain #stopAndSave saved}.
	 * @param source where it was saved
	 */
	public void restartWith(Path source) {
		stop();
		copy(source, this.server.directory());
		restart();
	}

	private static void copy(Path source, Path target) {
		try {
			for (String data : List.of("appendonlydir", "appendonly.aof", "dump.rdb")) {
				FileSystemUtils.deleteRecursively(target.resolve(data));
				if (Files.exists(source.resolve(data))) {
					FileSystemUtils.copyRecursively(source.resolve(data), target.resolve(data));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start the server again on the same port, stopping it first if it runs. Its data is
	 * gone unless it was {@linkplain #startDurable() started durable}.
	 */
	public void restart() {
		this.server.restart();
		verifyIdentity();
	}

	/**
	 * Let the server stand still: it accepts connections and requests, and does nothing.
	 */
	public void freeze() {
		signal("STOP");
		this.frozen = true;
	}

	/**
	 * Let the server continue after a {@link #freeze()}.
	 */
	public void thaw() {
		signal("CONT");
		this.frozen = false;
	}

	/**
	 * Set an option of the server.
	 * @param option the option, such as "maxmemory"
	 * @param value the value
	 */
	public void configure(String option, String value) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.serverCommands().setConfig(option, value);
		}
	}

	/**
	 * Let the server believe that it has no memory left.
	 */
	public void fillMemory() {
		configure("maxmemory", "1");
	}

	/**
	 * Let the server have as much memory as it wants.
	 */
	public void freeMemory() {
		configure("maxmemory", "0");
	}

	/**
	 * Make the server a replica of nobody who answers, so that it refuses to write.
	 */
	public void demote() {
		replicaOf("127.0.0.1", "1");
	}

	/**
	 * Make the server a primary again.
	 */
	public void promote() {
		replicaOf("NO", "ONE");
	}

	/**
	 * Make the server a replica of another.
	 * @param host the host of the other
	 * @param port the port of the other
	 */
	public void follow(String host, int port) {
		replicaOf(host, Integer.toString(port));
	}

	/**
	 * Run a command of an administrator.
	 * @param command the command
	 * @param arguments its arguments
	 */
	public void execute(String command, String... arguments) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.execute(command, Stream.of(arguments).map(String::getBytes).toArray(byte[][]::new));
		}
	}

	/**
	 * Return new connections to this server, to be closed by the caller.
	 * @param commandTimeout how long a command may take
	 * @return the connections
	 */
	public RedisConnections connections(Duration commandTimeout) {
		return new RedisConnections(factory(commandTimeout));
	}

	private LettuceConnectionFactory factory(Duration commandTimeout) {
		LettuceConnectionFactory factory = ConnectionFactories.single(url(), commandTimeout);
		this.closer.register(factory::destroy);
		return factory;
	}

	/**
	 * Keep the server busy with a script until {@link #killScript()}.
	 * @return completed when the script has ended
	 */
	public CompletableFuture<Void> runEndlessScript() {
		CompletableFuture<Void> script = CompletableFuture.runAsync(() -> {
			try {
				execute("EVAL", "while true do end", "0");
			}
			catch (DataAccessException ex) {
				// That it was killed.
			}
		});
		RedisClient client = RedisClient.create(url());
		Awaitility.await().until(() -> {
			try (StatefulRedisConnection<String, String> connection = client.connect()) {
				connection.sync().get("any");
				return false;
			}
			catch (RedisBusyException ex) {
				return true;
			}
		});
		client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		return script;
	}

	/**
	 * End a script that has not written anything.
	 */
	public void killScript() {
		RedisClient client = RedisClient.create(url());
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().scriptKill();
		}
		client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

	/**
	 * Return a part of what the server reports about itself.
	 * @param section the section, such as "replication"
	 * @return its lines
	 */
	public Properties info(String section) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			return connection.serverCommands().info(section);
		}
	}

	private void replicaOf(String host, String port) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.execute("REPLICAOF", host.getBytes(), port.getBytes());
		}
	}

	private void signal(String name) {
		try {
			Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start();
			Assertions.assertThat(kill.waitFor()).isZero();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Could not signal the server", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * What is going to be killed must be ours.
	 */
	private void verifyIdentity() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			String pid = connection.serverCommands().info("server").getProperty("process_id");
			Assertions.assertThat(pid).isEqualTo(Long.toString(pid()));
		}
	}

	@Override
	public void close() {
		if (this.frozen) {
			thaw();
		}
		this.closer.close();
	}

}
