package io.github.steadyjobs.admin;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How many runs there were, how they ended and how long they took. Stored as text: a
 * letter and a number for each count that is not 0, as in {@code A12C1r1t318}. Not thread
 * safe.
 */
final class RunCounts {

	/** How many classes of run times there are. Each is a capital letter. */
	static final int CLASSES = 26;

	/** A letter for each class, then for each {@link Count}. */
	private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZrdxtbw";

	static final int SIZE = LETTERS.length();

	/**
	 * Where each class of run times ends, in milliseconds. The last one has no end. Each
	 * is about 1.6 times as long as the one before, so an estimate is off by a quarter.
	 */
	private static final long[] ENDS = { 1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200, 300, 500, 800, 1300, 2000, 3000,
			5000, 8000, 13_000, 30_000, 60_000, 180_000, 600_000 };

	private static final long[] ENDS_IN_NANOS = Arrays.stream(ENDS).map(TimeUnit.MILLISECONDS::toNanos).toArray();

	private final long[] values = new long[SIZE];

	/** Return the class of a run time. */
	static int classOf(long nanos) {
		int found = Arrays.binarySearch(ENDS_IN_NANOS, nanos);
		return (found >= 0) ? found + 1 : -found - 1;
	}

	/**
	 * Return where a class of run times begins, in milliseconds.
	 * @param number the number of the class; after the last one, its own beginning
	 */
	static long beginOf(int number) {
		return (number > 0) ? ENDS[Math.min(number, ENDS.length) - 1] : 0;
	}

	static RunCounts parse(byte[] text) {
		RunCounts counts = new RunCounts();
		int index = -1;
		for (byte character : text) {
			if (character >= '0' && character <= '9') {
				if (index >= 0) {
					counts.values[index] = counts.values[index] * 10 + character - '0';
				}
			}
			else {
				// Counts of a newer release are unknown here.
				index = LETTERS.indexOf(character);
			}
		}
		return counts;
	}

	/** Return the count of a class, or of a {@link Count#index()}. */
	long get(int index) {
		return this.values[index];
	}

	/** Add to the count of a class, or of a {@link Count#index()}. */
	void add(int index, long number) {
		this.values[index] += number;
	}

	/** Add the counts of others, and return these. */
	RunCounts add(RunCounts others) {
		for (int i = 0; i < SIZE; i++) {
			this.values[i] += others.values[i];
		}
		return this;
	}

	/** Return the text that is stored, empty if all counts are 0. */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < SIZE; i++) {
			if (this.values[i] != 0) {
				text.append(LETTERS.charAt(i)).append(this.values[i]);
			}
		}
		return text.toString();
	}

	/** Counts other than run times. Times are sums in milliseconds. */
	enum Count {

		/** Failed runs after which the job runs again. */
		RETRIED,

		/** Failed runs after which the job is dead. */
		DEAD,

		/** Failed runs after which the job is discarded. */
		DISCARDED,

		/** How long runs took. */
		RAN,

		/** Runs that began. */
		BEGUN,

		/** How long their jobs had been ready by then. */
		WAITED;

		int index() {
			return CLASSES + ordinal();
		}

	}

}
