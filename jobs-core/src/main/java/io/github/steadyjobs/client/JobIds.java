package io.github.steadyjobs.client;

import java.nio.charset.StandardCharsets;
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

	private static final HexFormat HEX = HexFormat.of();

	private final LongSupplier random;

	/**
	 * The last id, in which few digits change from one to the next.
	 */
	private final byte[] id = new byte[LENGTH];

	private long millis = -1;

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
	synchronized String next(long now) {
		if (now > this.millis) {
			begin(now);
		}
		else {
			countUp();
		}
		return new String(this.id, StandardCharsets.ISO_8859_1);
	}

	private void countUp() {
		for (int i = LENGTH - 1; i >= LENGTH / 2; i--) {
			byte digit = this.id[i];
			if (digit != 'f') {
				this.id[i] = (byte) ((digit == '9') ? 'a' : digit + 1);
				return;
			}
			this.id[i] = '0';
		}
		// This millisecond is used up. The clock will catch up with the next.
		begin(this.millis + 1);
	}

	private void begin(long millis) {
		this.millis = millis;
		String digits = HEX.toHexDigits(millis, LENGTH / 2) + HEX.toHexDigits(this.random.getAsLong(), LENGTH / 2);
		System.arraycopy(digits.getBytes(StandardCharsets.ISO_8859_1), 0, this.id, 0, LENGTH);
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
