package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that was started and has answered, together with the shell that stops the
 * server when this JVM ends, even if the JVM is killed.
 */
final class ServerProcess {

	static final String HOST = "127.0.0.1";

	private static final Logger logger = LoggerFactory.getLogger(ServerProcess.class);

	// Protects the server from Ctrl-C, which interrupts the whole process group of a
	// terminal. Without this protection, the server would be gone before the application
	// has ended. The process id and the parent stay the same.
	private static final String DETACH = """
			if command -v setsid > /dev/null; then exec setsid "$@"; fi
			if command -v perl > /dev/null; then
				exec perl -e 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV; die $!' "$@"
			fi
			exec "$@"
			""";

	// Waits for a pipe that the system closes when the JVM ends. A shutdown hook would
	// run at the same time as the hook that closes the application context, and would
	// take Redis away from jobs that are still ending. The shell must ignore Ctrl-C,
	// which would end it too soon.
	private static final String WATCH = """
			trap '' HUP INT TERM
			read -r word
			if [ "$word" != dismissed ]; then
				kill -9 "$1"
				rm -rf -- "$2"
			fi
			""";

	private static final Pattern PROCESS_ID = Pattern.compile("^process_id:(\\d+)\\r?$", Pattern.MULTILINE);

	private static final int PROBE_TIMEOUT_MILLIS = 2000;

	private static final long MILLIS_BETWEEN_PROBES = 5;

	private static final int SECONDS_TO_ANSWER = 20;

	private static final int SECONDS_TO_STOP = 5;

	// A node of a cluster also listens on the port that is 10000 higher, which must
	// exist.
	private static final int HIGHEST_PORT = 65535 - 10000;

	private final Process process;

	private final Process watchdog;

	private ServerProcess(Process process, Path directory) throws IOException {
		this.process = process;
		this.watchdog = shell(WATCH, List.of(Long.toString(process.pid()), directory.toString()))
			.redirectOutput(Redirect.DISCARD)
			.redirectError(Redirect.DISCARD)
			.start();
		// Dismiss the watchdog at once, before the process id can be reused by another
		// process.
		process.onExit().thenRun(this::dismissWatchdog);
	}

	/**
	 * Start a server and wait until it answers.
	 * @param command the program and its arguments
	 * @param port the port in the arguments
	 * @param directory the directory for its log and for the record of its process
	 * @return the running server
	 * @throws EmbeddedRedisException if the server does not answer, for example because
	 * the port is in use
	 */
	static ServerProcess start(List<String> command, int port, ServerDirectory directory) {
		try {
			Process process = detached(command).redirectErrorStream(true)
				.redirectOutput(Redirect.to(directory.log().toFile()))
				.start();
			try {
				ServerProcess server = new ServerProcess(process, directory.path());
				process.getOutputStream().close();
				awaitAnswer(process, port, directory);
				directory.record(process.toHandle());
				return server;
			}
			catch (IOException | InterruptedException | RuntimeException ex) {
				// The watchdog is dismissed when the process ends.
				process.destroyForcibly().onExit().join();
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

	static ProcessBuilder detached(List<String> command) {
		return shell(DETACH, command);
	}

	private static ProcessBuilder shell(String script, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
		command.addAll(arguments);
		return new ProcessBuilder(command);
	}

	private static void awaitAnswer(Process process, int port, ServerDirectory directory)
			throws IOException, InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_ANSWER);
		String answer = "nothing";
		while (!process.waitFor(MILLIS_BETWEEN_PROBES, TimeUnit.MILLISECONDS)) {
			try {
				long pid = idAt(port);
				if (pid == process.pid()) {
					return;
				}
				// The started server may be about to discover that the port is taken.
				answer = "process " + pid;
			}
			catch (IOException ex) {
				answer = ex.toString();
			}
			if (System.nanoTime() - deadline > 0) {
				throw new EmbeddedRedisException("Process %d does not answer at port %d. The answer was: %s%n%s"
					.formatted(process.pid(), port, answer, directory.lastLogLines()), null);
			}
		}
		String log = directory.lastLogLines();
		// The GNU C library says "Address already in use", other libraries say "Address
		// in use".
		if (log.contains("in use")) {
			throw new EmbeddedRedisException(Reason.PORT_IN_USE, Integer.toString(port),
					"Port %d is in use: %s".formatted(port, log), null);
		}
		throw new EmbeddedRedisException("The server ended with status %d:%n%s".formatted(process.exitValue(), log),
				null);
	}

	/**
	 * Query the process id of the server at a port.
	 * @param port the port on which it should listen
	 * @return the process id of the server
	 * @throws IOException if no server listens there, or if the server is not Redis or is
	 * still loading its data
	 */
	static long idAt(int port) throws IOException {
		try (Socket socket = new Socket()) {
			socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
			socket.connect(new InetSocketAddress(InetAddress.getByName(HOST), port), PROBE_TIMEOUT_MILLIS);
			// The server closes the connection after the last answer.
			socket.getOutputStream().write("PING\r\nINFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			Matcher matcher = PROCESS_ID.matcher(answer);
			if (!answer.startsWith("+PONG") || !matcher.find()) {
				throw new IOException(
						"The answer is not that of a running Redis: " + answer.lines().findFirst().orElse(""));
			}
			return Long.parseLong(matcher.group(1));
		}
	}

	/**
	 * Find a port that is free now. Another program may take the port before it is used.
	 * @return the port
	 */
	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
			// This socket stays open while further ports are tried. Otherwise, the same
			// port might be offered again.
			return (socket.getLocalPort() <= HIGHEST_PORT) ? socket.getLocalPort() : freePort();
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not find a free port up to " + HIGHEST_PORT, ex);
		}
	}

	long pid() {
		return this.process.pid();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Ask the server to shut down, and kill it if it does not do so. */
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

	private boolean awaitEnd() {
		try {
			return this.process.waitFor(SECONDS_TO_STOP, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private synchronized void dismissWatchdog() {
		if (this.watchdog.isAlive()) {
			try (OutputStream pipe = this.watchdog.getOutputStream()) {
				pipe.write("dismissed\n".getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				logger.trace("The watchdog has gone already", ex);
			}
		}
	}

}
