package io.github.steadyjobs.benchmarks.chaos;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.benchmarks.OwnProgram;
import org.jspecify.annotations.Nullable;

/**
 * A separate JVM that runs jobs. All signals are sent to the process that this object has
 * started.
 */
final class WorkerProcess {

	private final Process process;

	private final int slot;

	private final Path log;

	private WorkerProcess(Process process, int slot, Path log) {
		this.process = process;
		this.slot = slot;
		this.log = log;
	}

	/**
	 * Start a worker.
	 * @param slot number of the worker
	 * @param log the file in which its jobs record what they do; the output of the
	 * process is stored next to it
	 * @param jar another version of this program, {@code null} for this version
	 * @param worker the command that the worker runs, with its options
	 */
	static WorkerProcess start(int slot, Path log, @Nullable Path jar, List<String> worker) throws IOException {
		List<String> command = OwnProgram.commandLine(jar, "-Xmx96m", "-Xshare:auto", "-XX:TieredStopAtLevel=1",
				"-XX:+UseSerialGC");
		command.addAll(worker);
		command.addAll(List.of("--log", log.toString()));
		// The input of the worker stays open as long as this JVM lives. When the input is
		// closed, the worker ends.
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.to(output(log)))
			.start();
		return new WorkerProcess(process, slot, log);
	}

	private static File output(Path log) {
		return new File(log.toString().replaceAll("\\.log$", ".out"));
	}

	/**
	 * Return whether the worker is ready to run jobs. Only then does it write the first
	 * line of its log.
	 */
	boolean isReady() {
		return this.log.toFile().length() > 0;
	}

	int slot() {
		return this.slot;
	}

	Path log() {
		return this.log;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	CompletableFuture<Process> onExit() {
		return this.process.onExit();
	}

	void kill() {
		this.process.destroyForcibly();
	}

	/**
	 * Ask the worker to end, and kill it if it has not ended in time.
	 */
	void terminate(Duration patience) throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

	void pause() {
		signal("STOP");
	}

	void resume() {
		signal("CONT");
	}

	private void signal(String name) {
		if (!isAlive()) {
			return;
		}
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).inheritIO().start().waitFor();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Could not send " + name + " to a worker", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return "process %d, see %s".formatted(this.process.pid(), output(this.log));
	}

}
