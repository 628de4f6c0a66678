package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;

import io.github.steadyjobs.Names;

/**
 * Creates job ids. An id consists of 48 bits for the time in milliseconds, followed by 48
 * bits that start at a random value in each millisecond and count up within that
 * millisecond. So the ids made by one process sort by creation time, and the ids of
 * different processes differ. The id of an ordered job is derived from its key instead.
 * Thread safe.
 */
public final class JobIds {

	private static final int LENGTH = 24;

	private static final HexFormat HEX = HexFormat.of();

	private final LongSupplier random;

	/** The last id, changed in place because few digits change between ids. */
	private final byte[] id = new byte[LENGTH];

	private long millis = -1;

	public JobIds() {
		this(new SecureRandom()::nextLong);
	}

	JobIds(LongSupplier random) {
		this.random = random;
	}

	/**
	 * Return an id that sorts after all previous ids.
	 * @param now milliseconds since the epoch; may be earlier than in the previous call
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
		// This millisecond has no further id, so borrow ids of the next millisecond until
		// the clock catches up.
		begin(this.millis + 1);
	}

	private void begin(long millis) {
		this.millis = millis;
		String digits = HEX.toHexDigits(millis, LENGTH / 2) + HEX.toHexDigits(this.random.getAsLong(), LENGTH / 2);
		System.arraycopy(digits.getBytes(StandardCharsets.ISO_8859_1), 0, this.id, 0, LENGTH);
	}

	/**
	 * Return the id of an ordered job: the first 96 bits of the SHA-256 digest of its
	 * name and key. All payloads of a key share this id, so new payloads join earlier
	 * payloads.
	 */
	public static String ofKey(String job, String key) {
		// No name contains a zero byte, so the zero byte marks where the name ends and
		// the key begins.
		return HEX.formatHex(Names.sha256(job + '\0' + key), 0, LENGTH / 2);
	}

	/** Return whether a text has the form of a job id. */
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
