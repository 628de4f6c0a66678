package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;

import io.github.steadyjobs.Names;

/**
 * Makes the ids of jobs: 48 bits of milliseconds, then 48 bits that begin at random with
 * each millisecond and count up within it, so that the ids of a process sort by creation
 * and the ids of different processes differ. An ordered job has an id derived from its
 * key instead. Thread safe.
 */
public final class JobIds {

	private static final int LENGTH = 24;

	private static final HexFormat HEX = HexFormat.of();

	private final LongSupplier random;

	/** The last id: only a few digits change from one id to the next. */
	private final byte[] id = new byte[LENGTH];

	private long millis = -1;

	public JobIds() {
		this(new SecureRandom()::nextLong);
	}

	JobIds(LongSupplier random) {
		this.random = random;
	}

	/**
	 * Return an id that sorts after all previous ones.
	 * @param now milliseconds since the epoch; may be earlier than before
	 */
	public synchronized String next(long now) {
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
	 * Return the id of an ordered job: the first 96 bits of SHA-256 of its name and key,
	 * so that each payload finds those before it.
	 */
	public static String ofKey(String job, String key) {
		// No name contains a zero byte, so the end of the name is part of the id.
		return HEX.formatHex(Names.sha256(job + '\0' + key), 0, LENGTH / 2);
	}

	/** Return whether a text has the form of an id. */
	public static boolean isId(String text) {
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
