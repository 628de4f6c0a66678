package io.github.steadyjobs.benchmarks.chaos;

import java.util.Random;

import org.jspecify.annotations.Nullable;

/**
 * Decides at random which orders are payloads of the ordered job, and counts the versions
 * of each key.
 */
final class Updates {

	private static final int KEYS = 100;

	private static final int ONE_AGAIN_OF = 3;

	private final int percent;

	private final int hot;

	/** The latest version of each key. The key at index 0 is the hot key. */
	private final int[] versions = new int[KEYS];

	private int drawn;

	private int last = 1;

	/**
	 * Create a source of updates.
	 * @param percent the percentage of payloads among all orders
	 * @param hot the percentage of payloads of the hot key among all payloads
	 */
	Updates(int percent, int hot) {
		this.percent = percent;
		this.hot = hot;
	}

	/**
	 * Decide at random whether the next order is a payload.
	 * @return the update, {@code null} for a plain job
	 */
	@Nullable Update draw(Random random) {
		if (random.nextInt(100) >= this.percent) {
			return null;
		}
		if (this.drawn++ * (long) this.hot % 100 < this.hot) {
			return next(0);
		}
		// Some updates of a key follow each other quickly, so that payloads accumulate.
		if (random.nextInt(ONE_AGAIN_OF) != 0) {
			this.last = 1 + random.nextInt(KEYS - 1);
		}
		return next(this.last);
	}

	private Update next(int key) {
		return new Update("key-" + key, ++this.versions[key]);
	}

}
