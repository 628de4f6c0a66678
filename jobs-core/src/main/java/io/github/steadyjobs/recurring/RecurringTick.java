package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * What became of a tick of a recurring job. Published as an event of the Spring
 * application by the process that saw to the tick, once Redis has accepted that.
 *
 * @param name the name of the recurring job
 * @param due the time of the tick
 * @param at when it was seen to, by the clock of Redis
 * @param decision what became of it
 * @param jobId the id of its job; of an {@link Decision#OVERLAPPED overlapping} one the
 * id of the job that has not ended; {@code null} if there is none
 * @param count for how many ticks this stands: more than one only for a
 * {@link Decision#SKIPPED skipped} one, if more than 1,000 were skipped at once
 */
public record RecurringTick(String name, Instant due, Instant at, Decision decision, @Nullable String jobId,
		long count) {

	/**
	 * Return by how much the tick was late.
	 * @return the time from when it was due until it was seen to
	 */
	public Duration lateness() {
		return Duration.between(this.due, this.at);
	}

	/**
	 * Hears of ticks before event listeners of the application do. Meant for parts of
	 * this library.
	 */
	@FunctionalInterface
	public interface Listener {

		/**
		 * Take note of a tick. What this throws is logged.
		 */
		void told(RecurringTick tick);

	}

	/**
	 * What became of a tick.
	 */
	public enum Decision {

		/** It was in time, and made a job. */
		ENQUEUED("E"),

		/** It made no job, because the job of an earlier tick has not ended. */
		OVERLAPPED("D"),

		/** It made no job yet: one runs once the job of an earlier tick has ended. */
		QUEUED("R"),

		/** It was missed, and made a job. */
		MADE_UP("M"),

		/** It was missed, or an interceptor has stopped it, and it made no job. */
		SKIPPED("S");

		private final String letter;

		Decision(String letter) {
			this.letter = letter;
		}

		/**
		 * Return what {@code tick.lua} notes for it.
		 */
		String letter() {
			return this.letter;
		}

		static Decision of(String letter) {
			return Arrays.stream(values())
				.filter((decision) -> decision.letter.equals(letter))
				.findAny()
				.orElse(ENQUEUED);
		}

	}

}
