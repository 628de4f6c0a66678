package io.github.steadyjobs.benchmarks.chaos;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What was decided about a tick, and about those that were missed before it.
 *
 * @param name the name of the recurring job
 * @param first the earliest tick that was decided on, {@code null} if that is not known
 * @param last the latest one
 * @param at when, by the clock of Redis
 * @param letter what was decided, as {@code tick.lua} records it
 * @param job the id of the job that the tick has made or met
 */
record TickDecision(String name, @Nullable Instant first, Instant last, Instant at, String letter, String job) {

	/**
	 * Read what {@code tick.lua} keeps: digest, tick, time, letter and job.
	 * @param state the text, which has the digest alone if nothing was decided yet
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
	 * Return whether a tick was missed, because this decision was made on a later one.
	 */
	boolean passesOver(Instant tick) {
		return this.first != null && !tick.isBefore(this.first) && tick.isBefore(this.last);
	}

}
