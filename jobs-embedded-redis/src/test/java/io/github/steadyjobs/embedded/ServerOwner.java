package io.github.steadyjobs.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

/**
 * A separate JVM that starts a server, so that a test can end that JVM in ways that the
 * test's own JVM would not survive.
 */
final class ServerOwner implements AutoCloseable {

	private final Process jvm;

	private final long serverPid;

	private final int port;

	private final Path directory;

	private ServerOwner(Process jvm) throws IOException {
		this.jvm = jvm;
		BufferedReader output = jvm.inputReader();
		this.serverPid = Long.parseLong(output.readLine());
		this.port = Integer.parseInt(output.readLine());
		this.directory = Path.of(output.readLine());
	}

	static ServerOwner start() throws IOException {
		return start(Path.of(System.getProperty("java.io.tmpdir")));
	}

	static ServerOwner start(Path temporaryFolder) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		// A separate process group ensures that signals to the group do not hit the test.
		ProcessBuilder command = ServerProcess.detached(List.of(java, "-Djava.io.tmpdir=" + temporaryFolder, "-cp",
				System.getProperty("java.class.path"), ServerOwner.class.getName()));
		return new ServerOwner(command.redirectError(Redirect.INHERIT).start());
	}

	int port() {
		return this.port;
	}

	Path directory() {
		return this.directory;
	}

	long serverPid() {
		return this.serverPid;
	}

	void killWatchdog() {
		this.jvm.children().filter((child) -> child.pid() != this.serverPid).forEach((watchdog) -> {
			watchdog.destroyForcibly();
			watchdog.onExit().join();
		});
	}

	/**
	 * Send a signal to the process group of the JVM, in the same way as a terminal does.
	 * @param signal the name of the signal
	 */
	void signalGroup(String signal) throws IOException, InterruptedException {
		new ProcessBuilder("sh", "-c", "kill -" + signal + " -" + this.jvm.pid()).inheritIO().start().waitFor();
	}

	void kill() throws InterruptedException {
		this.jvm.destroyForcibly().waitFor();
	}

	@Override
	public void close() {
		this.jvm.destroyForcibly();
	}

	/**
	 * Start a server, and wait until this process is ended.
	 * @param args unused
	 */
	public static void main(String[] args) throws Exception {
		EmbeddedRedisServer server = EmbeddedRedisServer.start();
		System.out.printf("%d%n%d%n%s%n", server.pid(), server.port(), server.directory());
		// The test never writes to this pipe. It is closed when the test ends.
		System.in.read();
	}

}
