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
import io.lettuce.core.UnblockType;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A server that belongs to one test, for tests that damage it.
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
	 * @param arguments further command-line arguments
	 * @return the running server
	 */
	public static OwnRedis start(String... arguments) {
		return start(EmbeddedRedisServer.builder().arguments(arguments));
	}

	/**
	 * Start a server with a different executable from the one that other tests use.
	 */
	static OwnRedis startExecutable(Path executable, String... arguments) {
		return start(EmbeddedRedisServer.builder().executable(executable.toString()).arguments(arguments));
	}

	private static OwnRedis start(EmbeddedRedisServer.Builder options) {
		return Closer.open((closer) -> new OwnRedis(options, closer));
	}

	/**
	 * Start a server that writes each change to disk before it answers, so that its data
	 * survives a restart.
	 * @return the running server
	 */
	public static OwnRedis startDurable() {
		return start("--appendonly", "yes", "--appendfsync", "always");
	}

	/**
	 * Return a view of this server with a separate prefix.
	 * @return the view, which is the same each time
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
	 * Return the executable of the server, under the name with which it was started. The
	 * process table may show a different name: the redis-server of Debian is a link to
	 * redis-check-rdb, and the program behaves according to the name with which it is
	 * called.
	 * @return the path of the executable
	 */
	Path executable() {
		return this.server.executable();
	}

	/**
	 * Stop the server in the same way as an administrator does.
	 */
	public void stop() {
		this.server.stop();
	}

	/**
	 * Kill the server, so that it answers and writes nothing more.
	 */
	public void kill() {
		this.server.kill();
		this.frozen = false;
	}

	/**
	 * Stop the server, and copy the data that it has written to disk.
	 * @param target the directory for the copy, which must be empty
	 */
	public void stopAndSave(Path target) {
		stop();
		copy(this.server.directory(), target);
	}

	/**
	 * Stop the server, and start it again with data that was {@linkplain #stopAndSave
	 * saved}.
	 * @param source the directory of the saved data
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
	 * Start the server again on the same port, after stopping it if it is running. Data
	 * that it has not written to disk is lost: see {@link #startDurable()}.
	 */
	public void restart() {
		this.server.restart();
		verifyIdentity();
	}

	/**
	 * Freeze the server: it accepts connections and requests, but does nothing.
	 */
	public void freeze() {
		signal("STOP");
		this.frozen = true;
	}

	/**
	 * Let the server continue after {@link #freeze()}.
	 */
	public void thaw() {
		signal("CONT");
		this.frozen = false;
	}

	/**
	 * Set an option of the server.
	 * @param option the option, such as "maxmemory"
	 * @param value the new value of the option
	 */
	public void configure(String option, String value) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.serverCommands().setConfig(option, value);
		}
	}

	/**
	 * Make the server refuse writes because its memory limit has been reached.
	 */
	public void fillMemory() {
		configure("maxmemory", "1");
	}

	/**
	 * Remove the memory limit of the server.
	 */
	public void freeMemory() {
		configure("maxmemory", "0");
	}

	/**
	 * Make the server a replica of a server that does not exist, so that it refuses
	 * writes.
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
	 * Make the server a replica of another server.
	 * @param host the host of the other server
	 * @param port the port of the other server
	 */
	public void follow(String host, int port) {
		replicaOf(host, Integer.toString(port));
	}

	/**
	 * Run an administrator's command.
	 * @param command the command, such as "CLIENT"
	 * @param arguments the arguments of the command
	 */
	public void execute(String command, String... arguments) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.execute(command, Stream.of(arguments).map(String::getBytes).toArray(byte[][]::new));
		}
	}

	/**
	 * Return the address and port of the only client that waits in a blocking command.
	 */
	public String blockedClient() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			return connection.serverCommands()
				.getClientList()
				.stream()
				.filter((client) -> client.getFlags().contains("b"))
				.findFirst()
				.orElseThrow()
				.getAddressPort();
		}
	}

	/**
	 * End the blocking command of a client, as if its time were up.
	 * @param client the address and port of the client
	 */
	public void endWait(String client) {
		RedisClient administrator = RedisClient.create(url());
		try (StatefulRedisConnection<String, String> connection = administrator.connect()) {
			String id = connection.sync()
				.clientList()
				.lines()
				.filter((line) -> line.contains(" addr=" + client + " "))
				.findFirst()
				.orElseThrow()
				.split("[= ]")[1];
			connection.sync().clientUnblock(Long.parseLong(id), UnblockType.TIMEOUT);
		}
		administrator.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

	/**
	 * Return new connections to this server, to be closed by the caller.
	 * @param commandTimeout the command timeout
	 * @return connections with that command timeout
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
	 * Keep the server busy with a script until {@link #killScript()} is called.
	 * @return a future that is completed when the script has ended
	 */
	public CompletableFuture<Void> runEndlessScript() {
		CompletableFuture<Void> script = CompletableFuture.runAsync(() -> {
			try {
				execute("EVAL", "while true do end", "0");
			}
			catch (DataAccessException ex) {
				// The script was killed.
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
	 * Return a section of the information that the server reports about itself.
	 * @param section the section, such as "replication"
	 * @return the lines of the section, as names and values
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
	 * Make sure that the process to be killed belongs to this test.
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
