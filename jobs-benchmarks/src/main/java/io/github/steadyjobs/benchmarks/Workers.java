package io.github.steadyjobs.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Separate processes that run jobs. They claim no jobs before {@link #start()} is called.
 */
final class Workers implements AutoCloseable {

	private static final Duration TIME_TO_END = Duration.ofSeconds(40);

	private final List<Worker> workers = new ArrayList<>();

	/**
	 * Start processes, and wait until they are ready.
	 * @param processes number of processes
	 * @param redis address of the server
	 * @param prefix prefix of all keys
	 * @param properties further properties of the application
	 */
	Workers(int processes, String redis, String prefix, Map<String, ?> properties) {
		List<String> options = new ArrayList<>(List.of("-Xmx512m"));
		properties.forEach((name, value) -> options.add("-D%s=%s".formatted(name, value)));
		List<String> command = OwnProgram.commandLine(options.toArray(String[]::new));
		command.addAll(List.of(WorkerCommand.NAME, "--redis", redis, "--prefix", prefix));
		try {
			for (int i = 0; i < processes; i++) {
				this.workers.add(Worker.start(command));
			}
			this.workers.forEach(Worker::answer);
		}
		catch (IOException ex) {
			close();
			throw new UncheckedIOException("Could not start a worker", ex);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	void start() {
		ask("start");
	}

	/**
	 * Make each process distinguish long waits for a worker from pauses of the whole
	 * process.
	 */
	void watchPauses() {
		ask("watch-pauses");
	}

	/**
	 * Stop the workers in the same way as an application that shuts down. The workers can
	 * be started again.
	 */
	void stop() {
		ask("stop");
	}

	/**
	 * Return the figures that all processes together have recorded since the last call.
	 */
	TaskFigures figures() {
		return TaskFigures.sum(ask("figures").stream().map(TaskFigures::parse).toList());
	}

	/**
	 * Return the processor time that the processes have used so far.
	 */
	Duration processorTime() {
		return this.workers.stream()
			.map((worker) -> worker.process().info().totalCpuDuration().orElse(Duration.ZERO))
			.reduce(Duration.ZERO, Duration::plus);
	}

	private List<String> ask(String question) {
		this.workers.forEach((worker) -> worker.ask(question));
		return this.workers.stream().map(Worker::answer).toList();
	}

	@Override
	public void close() {
		this.workers.forEach(Worker::end);
		this.workers.forEach(Worker::awaitEnd);
	}

	/**
	 * One of the processes.
	 *
	 * @param process the process that runs the jobs
	 * @param input the stream for commands
	 * @param output the reader of answers
	 */
	private record Worker(Process process, OutputStream input, BufferedReader output) {

		static Worker start(List<String> command) throws IOException {
			Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
			return new Worker(process, process.getOutputStream(), process.inputReader(StandardCharsets.US_ASCII));
		}

		void ask(String question) {
			try {
				this.input.write((question + "\n").getBytes(StandardCharsets.US_ASCII));
				this.input.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException("A worker has ended", ex);
			}
		}

		String answer() {
			try {
				for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
					if (line.startsWith(WorkerCommand.ANSWER)) {
						return line.substring(WorkerCommand.ANSWER.length());
					}
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			throw new IllegalStateException("A worker has ended; its output says why");
		}

		void end() {
			try {
				this.input.close();
			}
			catch (IOException ex) {
				// The process has already ended.
			}
		}

		void awaitEnd() {
			try {
				if (!this.process.waitFor(TIME_TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
					this.process.destroyForcibly();
				}
			}
			catch (InterruptedException ex) {
				this.process.destroyForcibly();
				Thread.currentThread().interrupt();
			}
		}

	}

}
