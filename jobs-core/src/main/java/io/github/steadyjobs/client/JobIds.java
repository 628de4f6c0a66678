package io.github.steadyjobs.client;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Makes the ids of jobs: 48 bits of milliseconds, then 48 bits that begin at random with
 * each millisecond and count up within it, so that the ids of a process sort by creation
 * and those of different processes differ. Thread safe.
 */
final class JobIds {

	private static final int LENGTH = 24;

	private static final long MASK = (1L << 48) - 1;

	private static final HexFormat HEX = HexFormat.of();

	private final LongSupplier random;

	private long millis = -1;

	private long counter;

	JobIds() {
		this(new SecureRandom()::nextLong);
	}

	JobIds(LongSupplier random) {
		this.random = random;
	}

	/**
	 * Return an id that sorts behind all before it.
	 * @param now milliseconds since the epoch; may be earlier than before
	 */
	String next(long now) {
		long millis;
		long counter;
		synchronized (this) {
			if (now > this.millis) {
				begin(now);
			}
			else if (++this.counter > MASK) {
				// This millisecond is used up. The clock will catch up with the next.
				begin(this.millis + 1);
			}
			millis = this.millis;
			counter = this.counter;
		}
		return HEX.toHexDigits(millis, LENGTH / 2) + HEX.toHexDigits(counter, LENGTH / 2);
	}

	private void begin(long millis) {
		this.millis = millis;
		this.counter = this.random.getAsLong() & MASK;
	}

	/**
	 * Return whether a text has the form of an id.
	 */
	static boolean isId(String text) {
		if (text.length() != LENGTH) {
			return false;
		}
		for (int i = 0; i < LENGTH; i++) {
			char digit = text.charAt(i);
			if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
				return false;
			}
		}
		return true;
	}

}
