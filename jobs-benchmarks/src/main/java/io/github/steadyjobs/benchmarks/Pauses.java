package io.github.steadyjobs.benchmarks;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Pauses of this process, whether due to its garbage collector or because the machine had
 * no processor for it: a thread that wants to run every millisecond was late by 10 ms or
 * more. Thread safe.
 */
final class Pauses {

	private static final long EVERY = 1000;

	private static final long LATE = 10_000;

	private final Queue<long[]> found = new ConcurrentLinkedQueue<>();

	private Pauses() {
	}

	/**
	 * Watch from now on, until the process ends.
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
	 * Return whether the process paused at some time between the two.
	 * @param from microseconds since the epoch
	 * @param to microseconds since the epoch
	 */
	boolean overlaps(long from, long to) {
		return this.found.stream().anyMatch((pause) -> pause[0] < to && pause[1] > from);
	}

}
