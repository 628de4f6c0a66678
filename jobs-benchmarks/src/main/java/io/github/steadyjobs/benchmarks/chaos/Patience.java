package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;

/**
 * Repeats a request while the server is unavailable.
 */
final class Patience {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final long PAUSE_MILLIS = 200;

	private Patience() {
	}

	static <T> T call(Supplier<T> question) throws InterruptedException {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (true) {
			try {
				return question.get();
			}
			catch (JobStoreException ex) {
				if (System.nanoTime() - deadline > 0) {
					throw ex;
				}
				Thread.sleep(PAUSE_MILLIS);
			}
		}
	}

}
