package io.github.steadyjobs.benchmarks;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Pauses of this process, caused by the garbage collector or by a lack of processor time
 * on the machine. The process counts as paused when a thread that wants to run every
 * millisecond was at least 10 ms late. Thread-safe.
 */
final class Pauses {

	private static final long EVERY = 1000;

	private static final long LATE = 10_000;

	private final Queue<long[]> found = new ConcurrentLinkedQueue<>();

	private Pauses() {
	}

	/**
	 * Watch for pauses from now on, until the process ends.
	 */
	static Pauses watch() {
		Pauses pauses = new Pauses();
		Thread thread = new Thread(pauses::run, "pauses");
		thread.setDaemon(true);
		thread.start();
		return pauses;
	}

	private void run() {
		try {
			long before = Runs.nowMicros();
			while (true) {
				Thread.sleep(EVERY / 1000);
				long now = Runs.nowMicros();
				if (now - before - EVERY >= LATE) {
					this.found.add(new long[] { before, now });
				}
				before = now;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Return whether the process was paused at any time in the given period.
	 * @param from beginning, in microseconds since the epoch
	 * @param to end, in microseconds since the epoch
	 */
	boolean overlaps(long from, long to) {
		return this.found.stream().anyMatch((pause) -> pause[0] < to && pause[1] > from);
	}

}
