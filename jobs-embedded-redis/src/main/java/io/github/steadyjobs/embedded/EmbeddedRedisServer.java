package io.github.steadyjobs.embedded;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A real Redis server for development and tests, in a separate process.
 * <p>
 * It listens only on the loopback interface. By default, it keeps its data only in memory
 * and never evicts keys. Its files are in a private directory. If this JVM ends or is
 * killed without closing the server, the server ends too. Instances are thread safe.
 *
 * @since 1.0.0
 */
public final class EmbeddedRedisServer implements AutoCloseable {

	private static final int ATTEMPTS = 5;

	private final RedisExecutable executable;

	private final ServerDirectory directory;

	private final List<String> arguments;

	private final IntSupplier freePort;

	private int port;

	private ServerProcess process;

	private boolean closed;

	private EmbeddedRedisServer(RedisExecutable executable, ServerDirectory directory, Builder options) {
		this.executable = executable;
		this.directory = directory;
		this.arguments = List.copyOf(options.arguments);
		this.freePort = options.freePort;
		this.port = options.port;
		this.process = launch();
	}

	/**
	 * Start a server with the default settings: the installed program or, if there is
	 * none, the bundled program, on a free port.
	 * @return the running server
	 * @throws EmbeddedRedisException if the server could not be started
	 */
	public static EmbeddedRedisServer start() {
		return builder().start();
	}

	/**
	 * Create a builder for a server with custom settings.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	private ServerProcess launch() {
		boolean anyPort = (this.port == 0);
		for (int attempt = 1;; attempt++) {
			int candidate = anyPort ? this.freePort.getAsInt() : this.port;
			try {
				ServerProcess launched = ServerProcess.start(command(candidate), candidate, this.directory);
				this.port = candidate;
				return launched;
			}
			catch (EmbeddedRedisException ex) {
				if (ex.reason() != Reason.PORT_IN_USE || !anyPort || attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private List<String> command(int port) {
		List<String> command = new ArrayList<>(List.of(this.executable.path().toString()));
		command.addAll(List.of("--port", Integer.toString(port), "--bind", ServerProcess.HOST, "--daemonize", "no"));
		command.addAll(List.of("--dir", this.directory.path().toString(), "--save", "", "--appendonly", "no"));
		command.addAll(List.of("--maxmemory-policy", "noeviction"));
		// These arguments come last, because later settings override earlier settings.
		command.addAll(this.arguments);
		return command;
	}

	/**
	 * Start the server again on the same port and in the same directory. If it is
	 * running, it is stopped first. Its data is kept only if the arguments made the
	 * server write the data to disk.
	 * @throws EmbeddedRedisException if the server did not start, for example because
	 * another program has taken the port
	 */
	public synchronized void restart() {
		Assert.state(!this.closed, "The server has been closed");
		this.process.stop();
		this.process = launch();
	}

	/**
	 * Shut down the server, and kill it if it has not stopped within five seconds. Its
	 * directory is kept for a {@link #restart()}.
	 */
	public synchronized void stop() {
		this.process.stop();
	}

	/**
	 * Kill the server at once, so that it can no longer answer or write anything. Its
	 * directory is kept for a {@link #restart()}.
	 */
	public synchronized void kill() {
		this.process.kill();
	}

	/**
	 * Stop the server and delete its directory.
	 */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.process.stop();
			this.directory.delete();
		}
	}

	/**
	 * Return whether the process of the server is running, even if it does not answer.
	 * @return whether the process has not ended since its start
	 */
	public synchronized boolean isRunning() {
		return this.process.isAlive();
	}

	/**
	 * Return the process id of the server, which changes with each {@link #restart()}.
	 * @return the process id
	 */
	public synchronized long pid() {
		return this.process.pid();
	}

	/**
	 * Return the address on which the server listens.
	 * @return the loopback address
	 */
	public String host() {
		return ServerProcess.HOST;
	}

	/**
	 * Return the port on which the server listens.
	 * @return the port, which never changes
	 */
	public synchronized int port() {
		return this.port;
	}

	/**
	 * Return the address of the server in a form that Redis clients accept.
	 * @return a URI such as {@code redis://127.0.0.1:6379}
	 */
	public URI uri() {
		return URI.create("redis://" + host() + ":" + port());
	}

	/**
	 * Return the private directory of the server, which contains its log and its data.
	 * @return the directory, which is deleted when the server is closed
	 */
	public Path directory() {
		return this.directory.path();
	}

	/**
	 * Return the program that was started.
	 * @return its path
	 */
	public Path executable() {
		return this.executable.path();
	}

	/**
	 * Return the name and version of the program.
	 * @return a string such as "Redis 7.0.15"
	 */
	public String version() {
		return this.executable.version();
	}

	/**
	 * Settings of a server to start. Not thread safe.
	 */
	public static final class Builder {

		private @Nullable String executable;

		private int port;

		private final List<String> arguments = new ArrayList<>();

		private IntSupplier freePort = ServerProcess::freePort;

		private Builder() {
		}

		/**
		 * Use only this executable.
		 * @param executable its path, or a name to look up on the PATH
		 * @return this builder
		 */
		public Builder executable(String executable) {
			this.executable = executable;
			return this;
		}

		/**
		 * Listen on this port.
		 * @param port the port; 0 (the default) for a free port
		 * @return this builder
		 */
		public Builder port(int port) {
			this.port = port;
			return this;
		}

		/**
		 * Pass additional arguments to the server, as on its command line. They override
		 * the built-in arguments. The server must still listen on the loopback interface
		 * and allow all clients to call INFO.
		 * @param arguments the arguments, such as "--appendonly", "yes"
		 * @return this builder
		 */
		public Builder arguments(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		Builder freePort(IntSupplier freePort) {
			this.freePort = freePort;
			return this;
		}

		/**
		 * Start the server.
		 * @return the server, which is ready to answer
		 * @throws EmbeddedRedisException if the server could not be started; in this
		 * case, nothing is left behind
		 */
		public EmbeddedRedisServer start() {
			Path folder = ServerDirectory.folder();
			ServerDirectory.sweep(folder);
			String searchPath = Objects.requireNonNullElse(System.getenv("PATH"), "");
			RedisExecutable found = RedisExecutable.find(this.executable, searchPath,
					() -> BundledRedis.unpack(folder));
			ServerDirectory directory = ServerDirectory.create(folder);
			try {
				return new EmbeddedRedisServer(found, directory, this);
			}
			catch (RuntimeException ex) {
				directory.delete();
				throw ex;
			}
		}

	}

}
