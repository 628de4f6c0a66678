package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ids that should be in a list, and whether each id has been found. Compact, because
 * millions of jobs may wait: an id takes 20 to 40 bytes. Invalid ids are left out. Not
 * thread safe.
 */
final class ListedIds {

	private static final HexFormat HEX = HexFormat.of();

	private static final byte FREE = 0;

	private static final byte MISSING = 1;

	private static final byte FOUND = 2;

	private static final int MOST_DUPLICATES = 100_000;

	private final Set<String> duplicates = new LinkedHashSet<>();

	private long[] high = new long[1024];

	private int[] low = new int[1024];

	private byte[] states = new byte[1024];

	private int size;

	private final int slice;

	private final int slices;

	/**
	 * Create a set for one slice of all ids.
	 * @param slice the number of the slice, from 0
	 */
	ListedIds(int slice, int slices) {
		this.slice = slice;
		this.slices = slices;
	}

	boolean accepts(String id) {
		return Math.floorMod(id.hashCode(), this.slices) == this.slice;
	}

	void add(String id) {
		if (!AuditRules.isJobId(id)) {
			return;
		}
		if (this.size * 3L > this.states.length * 2L) {
			grow();
		}
		put(high(id), low(id), MISSING);
	}

	/**
	 * Record that an id was found in a list.
	 * @param fresh whether the position had not been read before; if so, an id that was
	 * already found is a duplicate
	 */
	void found(String id, boolean fresh) {
		if (!AuditRules.isJobId(id)) {
			return;
		}
		int slot = slot(high(id), low(id));
		if (this.states[slot] == FOUND && fresh && this.duplicates.size() < MOST_DUPLICATES) {
			this.duplicates.add(id);
		}
		else if (this.states[slot] == MISSING) {
			this.states[slot] = FOUND;
		}
	}

	/** Return the ids that were not found, and those that were found more than once. */
	List<String> doubtful() {
		List<String> doubtful = new ArrayList<>(this.duplicates);
		for (int i = 0; i < this.states.length; i++) {
			if (this.states[i] == MISSING) {
				doubtful.add(HEX.toHexDigits(this.high[i]) + HEX.toHexDigits(this.low[i]));
			}
		}
		return doubtful;
	}

	private void put(long high, int low, byte state) {
		int slot = slot(high, low);
		if (this.states[slot] == FREE) {
			this.high[slot] = high;
			this.low[slot] = low;
			this.states[slot] = state;
			this.size++;
		}
	}

	private int slot(long high, int low) {
		int mask = this.states.length - 1;
		long mixed = (high * 31 + low) * 0x9E3779B97F4A7C15L;
		int slot = (int) (mixed >>> 32) & mask;
		while (this.states[slot] != FREE && (this.high[slot] != high || this.low[slot] != low)) {
			slot = (slot + 1) & mask;
		}
		return slot;
	}

	private void grow() {
		long[] oldHigh = this.high;
		int[] oldLow = this.low;
		byte[] oldStates = this.states;
		this.high = new long[oldHigh.length * 2];
		this.low = new int[oldHigh.length * 2];
		this.states = new byte[oldHigh.length * 2];
		this.size = 0;
		for (int i = 0; i < oldStates.length; i++) {
			if (oldStates[i] != FREE) {
				put(oldHigh[i], oldLow[i], oldStates[i]);
			}
		}
	}

	private static long high(String id) {
		return HexFormat.fromHexDigitsToLong(id, 0, 16);
	}

	private static int low(String id) {
		return HexFormat.fromHexDigits(id, 16, 24);
	}

}
