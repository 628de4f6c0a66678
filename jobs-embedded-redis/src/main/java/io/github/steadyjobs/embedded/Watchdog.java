package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shell that ends a server when this JVM ends, even if the JVM is killed.
 * <p>
 * It waits at a pipe that the system closes along with the JVM. A shutdown hook would run
 * beside the one that closes the application context, and take Redis away from jobs that
 * are still coming to their end.
 */
final class Watchdog {

	private static final Logger logger = LoggerFactory.getLogger(Watchdog.class);

	// Ctrl-C reaches every process of the terminal, this one too soon.
	private static final String SCRIPT = """
			trap '' HUP INT TERM
			read -r word
			if [ "$word" != dismissed ]; then
				kill -9 "$1"
				rm -rf -- "$2"
			fi
			""";

	private final Process shell;

	private Watchdog(Process shell) {
		this.shell = shell;
	}

	/**
	 * Watch over a server until it ends or the watchdog is dismissed.
	 * @param server the server
	 * @param directory its directory, which is deleted after it
	 * @return the watchdog, or {@code null} if there is no shell. The server may outlive
	 * the JVM then, until another one {@linkplain Leftovers sweeps}.
	 */
	static @Nullable Watchdog over(Process server, Path directory) {
		try {
			Process shell = new ProcessBuilder("sh", "-c", SCRIPT, "watchdog", Long.toString(server.pid()),
					directory.toString())
				.redirectOutput(Redirect.DISCARD)
				.redirectError(Redirect.DISCARD)
				.start();
			Watchdog watchdog = new Watchdog(shell);
			// At once, before the process id can belong to another.
			server.onExit().thenRun(watchdog::dismiss);
			return watchdog;
		}
		catch (IOException ex) {
			logger.debug("There is no shell to watch over the server", ex);
			return null;
		}
	}

	synchronized void dismiss() {
		if (this.shell.isAlive()) {
			try (OutputStream pipe = this.shell.getOutputStream()) {
				pipe.write("dismissed\n".getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				logger.trace("The watchdog has gone already", ex);
			}
		}
	}

}
