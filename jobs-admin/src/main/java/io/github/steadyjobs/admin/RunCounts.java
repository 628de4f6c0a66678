package io.github.steadyjobs.admin;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Counts of runs: how many there were, how they ended and how long they took. Stored as
 * text: a letter and a number for each count that is not 0, as in {@code A12C1r1t318}.
 * Not thread safe.
 */
final class RunCounts {

	/** Number of run time classes. Each class is represented by a capital letter. */
	static final int CLASSES = 26;

	/** One letter for each class, followed by a letter for each {@link Count}. */
	private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZrdxtbw";

	static final int SIZE = LETTERS.length();

	/**
	 * The end of each run time class, in milliseconds. The last class has no end. Between
	 * 2 and 13,000 ms, each end is 1.5 to 1.7 times the previous end. An estimate is in
	 * the same class as the exact value, so in this range it is wrong by a factor of at
	 * most 1.7.
	 */
	private static final long[] ENDS = { 1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200, 300, 500, 800, 1300, 2000, 3000,
			5000, 8000, 13_000, 30_000, 60_000, 180_000, 600_000 };

	private static final long[] ENDS_IN_NANOS = Arrays.stream(ENDS).map(TimeUnit.MILLISECONDS::toNanos).toArray();

	private final long[] values = new long[SIZE];

	/** Return the class of a run time in nanoseconds. */
	static int classOf(long nanos) {
		int found = Arrays.binarySearch(ENDS_IN_NANOS, nanos);
		return (found >= 0) ? found + 1 : -found - 1;
	}

	/**
	 * Return the beginning of a run time class, in milliseconds.
	 * @param number the number of the class; a number that is too high stands for the
	 * last class
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
				// Ignore counts that only a newer release knows.
				index = LETTERS.indexOf(character);
			}
		}
		return counts;
	}

	/** Return a count by the number of a class or a {@link Count#index()}. */
	long get(int index) {
		return this.values[index];
	}

	/** Add to a count by the number of a class or a {@link Count#index()}. */
	void add(int index, long number) {
		this.values[index] += number;
	}

	/** Add other counts to these counts, and return this object. */
	RunCounts add(RunCounts others) {
		for (int i = 0; i < SIZE; i++) {
			this.values[i] += others.values[i];
		}
		return this;
	}

	/** Return the text to store; empty if all counts are 0. */
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

	/** Counts other than the run time classes. Times are sums in milliseconds. */
	enum Count {

		/** Number of failed runs after which the job was to be retried. */
		RETRIED,

		/** Number of failed runs after which the job was dead. */
		DEAD,

		/** Number of failed runs after which the job was discarded. */
		DISCARDED,

		/** Total duration of the runs. */
		RAN,

		/** Number of runs that began. */
		BEGUN,

		/** Total time for which the jobs had been ready before their runs began. */
		WAITED;

		int index() {
			return CLASSES + ordinal();
		}

	}

}
