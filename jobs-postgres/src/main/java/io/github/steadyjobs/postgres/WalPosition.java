package io.github.steadyjobs.postgres;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.util.Assert;

/**
 * A position in the write-ahead log of PostgreSQL.
 *
 * @param value the number of bytes before the position, unsigned
 */
record WalPosition(long value) {

	/**
	 * Stands for an unknown position of the data, and is greater than all other
	 * positions.
	 */
	static final WalPosition UNKNOWN = new WalPosition(-1);

	/**
	 * Length in bytes of the header of a page that begins a segment, on 64-bit machines.
	 * Other headers are shorter. A record that begins on a page cannot end within this
	 * many bytes from the start of that page.
	 */
	private static final long LONGEST_PAGE_HEADER = 40;

	private static final Pattern LSN = Pattern.compile("([0-9A-F]{1,8})/([0-9A-F]{1,8})");

	private static final Pattern TEXT = Pattern.compile("[0-9A-F]{16}");

	/** Parse a value of the type {@code pg_lsn}. */
	static WalPosition ofLsn(String lsn) {
		Matcher halves = LSN.matcher(lsn);
		Assert.isTrue(halves.matches(), () -> "'%s' is not a pg_lsn".formatted(lsn));
		return new WalPosition(
				Long.parseLong(halves.group(1), 16) << Integer.SIZE | Long.parseLong(halves.group(2), 16));
	}

	/**
	 * Parse a text that {@link #text()} has returned.
	 */
	static WalPosition ofText(String text) {
		Assert.isTrue(TEXT.matcher(text).matches(), () -> "'%s' is not a position of PostgreSQL".formatted(text));
		return new WalPosition(Long.parseUnsignedLong(text, 16));
	}

	/**
	 * Return a text of 16 digits. Texts sort in the same order as positions.
	 */
	String text() {
		return "%016X".formatted(this.value);
	}

	/**
	 * Return whether a server whose last replayed record ends at this position has
	 * replayed all records up to the wanted position.
	 * @param pageSize the number of bytes in a page of the log
	 */
	boolean covers(WalPosition wanted, long pageSize) {
		if (Long.compareUnsigned(this.value, wanted.value) >= 0) {
			return true;
		}
		boolean endOfPage = Long.remainderUnsigned(this.value, pageSize) == 0;
		return endOfPage && Long.compareUnsigned(wanted.value - this.value, LONGEST_PAGE_HEADER) <= 0;
	}

}
