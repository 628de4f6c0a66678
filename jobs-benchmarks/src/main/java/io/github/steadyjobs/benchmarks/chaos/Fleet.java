package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The worker processes. Each worker has a slot. When a worker has ended, another worker
 * takes its slot, as with an orchestrator. Thread-safe.
 */
final class Fleet implements AutoCloseable {

	private static final Duration TIME_TO_START = Duration.ofSeconds(90);

	private static final Duration TIME_TO_STOP = Duration.ofSeconds(40);

	private static final int TOO_MANY = 5;

	private final @Nullable WorkerProcess[] workers;

	private final int[] starts;

	private final Path directory;

	private final IntFunction<List<String>> commands;

	private final Incidents incidents;

	private final @Nullable Path otherJar;

	private final List<WorkerProcess> everStarted = new ArrayList<>();

	private int endedByThemselves;

	private boolean closed;

	/**
	 * Create a fleet. Workers are not started yet.
	 * @param size number of workers
	 * @param directory the directory for logs
	 * @param commands returns the command for the worker in a slot, with its options
	 * @param incidents where to record what happens to workers
	 * @param otherJar another version of this program, which every other worker runs; a
	 * worker that is restarted switches to the other version. {@code null} if all workers
	 * run this version
	 */
	Fleet(int size, Path directory, IntFunction<List<String>> commands, Incidents incidents, @Nullable Path otherJar) {
		this.workers = new WorkerProcess[size];
		this.starts = new int[size];
		this.directory = directory;
		this.commands = commands;
		this.incidents = incidents;
		this.otherJar = otherJar;
	}

	/**
	 * Start all workers, and wait until they are ready.
	 */
	void start() throws InterruptedException {
		for (int slot = 0; slot < this.workers.length; slot++) {
			start(slot);
		}
		long deadline = System.nanoTime() + TIME_TO_START.toNanos();
		while (!Arrays.stream(snapshot()).allMatch((worker) -> worker != null && worker.isReady())) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("Workers do not start: " + Arrays.toString(snapshot()));
			}
			Thread.sleep(20);
		}
	}

	/**
	 * Start a worker in a slot whose worker has ended.
	 */
	synchronized void start(int slot) {
		if (this.closed || (this.workers[slot] != null && this.workers[slot].isAlive())) {
			return;
		}
		Path log = this.directory.resolve("worker-%d-%d.log".formatted(slot, ++this.starts[slot]));
		try {
			Path jar = ((slot + this.starts[slot]) % 2 == 0) ? this.otherJar : null;
			WorkerProcess worker = WorkerProcess.start(slot, log, jar, this.commands.apply(slot));
			this.everStarted.add(worker);
			this.workers[slot] = worker;
			worker.onExit().thenRun(() -> ended(slot, worker));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Could not start a worker", ex);
		}
	}

	private synchronized void ended(int slot, WorkerProcess worker) {
		if (this.closed || this.workers[slot] != worker) {
			return;
		}
		long now = System.currentTimeMillis();
		this.incidents.add(Kind.KILLED, slot, now, now);
		this.incidents.say("worker %d has ended by itself: %s", slot, worker);
		if (++this.endedByThemselves < TOO_MANY) {
			this.workers[slot] = null;
			start(slot);
		}
	}

	void kill(int slot) {
		WorkerProcess worker = remove(slot);
		if (worker != null) {
			long from = System.currentTimeMillis();
			worker.kill();
			// A job may have begun just before the kill.
			this.incidents.add(Kind.KILLED, slot, from, System.currentTimeMillis());
		}
	}

	void terminate(int slot) throws InterruptedException {
		WorkerProcess worker = remove(slot);
		if (worker != null) {
			long from = System.currentTimeMillis();
			worker.terminate(TIME_TO_STOP);
			this.incidents.add(Kind.STOPPED, slot, from, System.currentTimeMillis());
		}
	}

	private synchronized @Nullable WorkerProcess remove(int slot) {
		WorkerProcess worker = this.workers[slot];
		this.workers[slot] = null;
		return worker;
	}

	/**
	 * Pause a worker.
	 * @return a task that resumes the worker
	 */
	Runnable pause(int slot) {
		WorkerProcess worker = snapshot()[slot];
		if (worker == null) {
			return () -> {
			};
		}
		long from = System.currentTimeMillis();
		worker.pause();
		return () -> {
			// The incident is recorded first, because a job may end as soon as its worker
			// resumes.
			this.incidents.add(Kind.PAUSED, slot, from, System.currentTimeMillis());
			worker.resume();
		};
	}

	private synchronized @Nullable WorkerProcess[] snapshot() {
		return this.workers.clone();
	}

	synchronized List<WorkerProcess> everStarted() {
		return List.copyOf(this.everStarted);
	}

	/**
	 * Stop all workers in the same way as a deployment does.
	 */
	void stop() throws InterruptedException {
		@Nullable WorkerProcess[] last;
		synchronized (this) {
			this.closed = true;
			last = this.workers.clone();
		}
		List<Thread> stopping = new ArrayList<>();
		for (WorkerProcess worker : last) {
			if (worker != null) {
				Thread thread = new Thread(() -> terminateQuietly(worker));
				thread.start();
				stopping.add(thread);
			}
		}
		for (Thread thread : stopping) {
			thread.join();
		}
	}

	private static void terminateQuietly(WorkerProcess worker) {
		try {
			worker.terminate(TIME_TO_STOP);
		}
		catch (InterruptedException ex) {
			worker.kill();
		}
	}

	/**
	 * Kill all remaining workers, even those that are about to end.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.everStarted.forEach(WorkerProcess::kill);
	}

}
