package io.github.steadyjobs.samples.orders;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

import io.github.steadyjobs.samples.orders.Event.Kind;

/**
 * Counts the effects of one of the two jobs on an order.
 */
final class Tally {

	private final int[] counts = new int[Kind.values().length];

	private final BitSet waiting = new BitSet();

	private final BitSet applied = new BitSet();

	private final Set<String> runs = new HashSet<>();

	private int version;

	private int backwards;

	/**
	 * Count an event.
	 * @return whether the event is the first event of a run
	 */
	boolean add(Event event) {
		this.counts[event.kind().ordinal()]++;
		if (event.kind() == Kind.MERGED) {
			return false;
		}
		this.waiting.set(event.version(), event.kind() != Kind.APPLIED);
		if (event.kind() == Kind.SENT) {
			return false;
		}
		if (event.kind() == Kind.APPLIED) {
			this.backwards += (event.version() < this.version) ? 1 : 0;
			this.version = event.version();
			this.applied.set(event.version());
		}
		return this.runs.add(event.run());
	}

	Counts counts() {
		int applied = this.applied.cardinality();
		return new Counts(count(Kind.SENT), this.waiting.cardinality(), applied, this.runs.size(), count(Kind.MERGED),
				count(Kind.FAILED), count(Kind.PUT_BACK), count(Kind.APPLIED) - applied, this.backwards);
	}

	private int count(Kind kind) {
		return this.counts[kind.ordinal()];
	}

	/**
	 * The counts that are shown for one order or for all orders.
	 *
	 * @param sent the number of updates that were enqueued
	 * @param waiting the number of updates that are waiting or running, including failed
	 * ones
	 * @param applied the number of different updates that took effect
	 * @param runs the number of runs of the job
	 * @param merged the number of updates that joined a waiting job of their order
	 * @param failed the number of failures, each of which is followed by a retry
	 * @param putBack the number of runs that were interrupted by a restart
	 * @param repeated the number of times that an update took effect again
	 * @param backwards the number of times that a version took effect right after a
	 * higher version
	 */
	record Counts(int sent, int waiting, int applied, int runs, int merged, int failed, int putBack, int repeated,
			int backwards) {

		Counts plus(Counts other) {
			return new Counts(this.sent + other.sent, this.waiting + other.waiting, this.applied + other.applied,
					this.runs + other.runs, this.merged + other.merged, this.failed + other.failed,
					this.putBack + other.putBack, this.repeated + other.repeated, this.backwards + other.backwards);
		}

	}

}
