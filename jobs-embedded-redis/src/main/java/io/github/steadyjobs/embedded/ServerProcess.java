package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that was started and has answered.
 */
final class ServerProcess {

	private static final Logger logger = LoggerFactory.getLogger(ServerProcess.class);

	private static final Duration TIME_TO_ANSWER = Duration.ofSeconds(20);

	private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

	private static final long MILLIS_BETWEEN_PROBES = 5;

	private final Process process;

	private final @Nullable Watchdog watchdog;

	private ServerProcess(Process process, @Nullable Watchdog watchdog) {
		this.process = process;
		this.watchdog = watchdog;
	}

	/**
	 * Start a server and wait until it answers.
	 * @param command the program and its arguments
	 * @param port the port that the arguments name
	 * @param directory where to write its log and who it is
	 * @return the running server
	 * @throws RedisPortInUseException if the port is not free
	 * @throws EmbeddedRedisException if it does not answer for another reason
	 */
	static ServerProcess start(List<String> command, int port, ServerDirectory directory) {
		try {
			Process process = new ProcessBuilder(Detached.command(SearchPath.fromEnvironment(), command))
				.redirectErrorStream(true)
				.redirectOutput(Redirect.to(directory.log().toFile()))
				.start();
			ServerProcess server = new ServerProcess(process, Watchdog.over(process, directory.path()));
			try {
				process.getOutputStream().close();
				server.awaitAnswer(port, directory);
				directory.record(process.toHandle());
				return server;
			}
			catch (IOException | InterruptedException | RuntimeException ex) {
				server.kill();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not start '%s'".formatted(command.get(0)), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EmbeddedRedisException("Interrupted while starting '%s'".formatted(command.get(0)), ex);
		}
	}

	private void awaitAnswer(int port, ServerDirectory directory) throws InterruptedException {
		long deadline = System.nanoTime() + TIME_TO_ANSWER.toNanos();
		String answer = "nothing";
		while (!this.process.waitFor(MILLIS_BETWEEN_PROBES, TimeUnit.MILLISECONDS)) {
			try {
				long pid = ServerProbe.processId(port);
				if (pid == pid()) {
					return;
				}
				// Ours may be about to find out that the port is taken.
				answer = "process " + pid;
			}
			catch (IOException ex) {
				answer = ex.toString();
			}
			if (System.nanoTime() - deadline > 0) {
				throw new EmbeddedRedisException("Process %d does not answer at port %d. The answer was: %s%n%s"
					.formatted(pid(), port, answer, directory.lastLogLines()), null);
			}
		}
		String log = directory.lastLogLines();
		// "Address already in use" by the GNU C library, "Address in use" by others.
		if (log.contains("in use")) {
			throw new RedisPortInUseException(port, log);
		}
		throw new EmbeddedRedisException(
				"The server ended with status %d:%n%s".formatted(this.process.exitValue(), log), null);
	}

	long pid() {
		return this.process.pid();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Let the server end by itself, and kill it when it does not.
	 */
	void stop() {
		dismissWatchdog();
		this.process.destroy();
		if (!awaitEnd()) {
			logger.debug("Process {} does not stop, killing it", pid());
			kill();
		}
	}

	void kill() {
		dismissWatchdog();
		this.process.destroyForcibly();
		awaitEnd();
	}

	private void dismissWatchdog() {
		if (this.watchdog != null) {
			this.watchdog.dismiss();
		}
	}

	private boolean awaitEnd() {
		try {
			return this.process.waitFor(TIME_TO_STOP.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
