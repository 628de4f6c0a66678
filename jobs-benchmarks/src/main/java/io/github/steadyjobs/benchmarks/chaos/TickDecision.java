package io.github.steadyjobs.benchmarks.chaos;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A decision about a tick, and about the missed ticks before it.
 *
 * @param name the name of the recurring job
 * @param first the earliest tick that was decided on, {@code null} if it is not known
 * @param last the latest tick that was decided on
 * @param at the time of the decision, by the clock of Redis
 * @param letter the decision, as recorded by {@code tick.lua}
 * @param job the id of the job that the tick has created or encountered
 */
record TickDecision(String name, @Nullable Instant first, Instant last, Instant at, String letter, String job) {

	/**
	 * Read the state that {@code tick.lua} stores: digest, tick, time, letter and job.
	 * @param state the text, which contains only the digest if there is no decision yet
	 */
	static @Nullable TickDecision of(String name, @Nullable Instant first, String state) {
		String[] parts = state.split(" ");
		return (parts.length < 5) ? null
				: new TickDecision(name, first, time(parts[1]), time(parts[2]), parts[3], parts[4]);
	}

	static Instant time(String millis) {
		return Instant.ofEpochMilli(Long.parseLong(millis));
	}

	boolean hasJob() {
		return !isSkipped() && !isOverlapped() && !isQueued();
	}

	boolean isSkipped() {
		return this.letter.equals("S");
	}

	boolean isOverlapped() {
		return this.letter.equals("D");
	}

	boolean isQueued() {
		return this.letter.equals("R");
	}

	/**
	 * Return whether this decision, which is about a later tick, includes a given missed
	 * tick.
	 */
	boolean passesOver(Instant tick) {
		return this.first != null && !tick.isBefore(this.first) && tick.isBefore(this.last);
	}

}
