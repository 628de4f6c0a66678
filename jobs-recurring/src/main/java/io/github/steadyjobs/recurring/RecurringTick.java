package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A tick of a recurring job and the decision about it. Published as an application event
 * by the process that handled the tick, after Redis has accepted the result.
 *
 * @param name the name of the recurring job
 * @param due when the tick was due
 * @param at when the tick was handled, by the clock of Redis
 * @param decision the decision about the tick
 * @param jobId the id of the job of the tick; for an {@link Decision#OVERLAPPED
 * overlapping} or {@link Decision#QUEUED queued} tick, the id of the earlier job that had
 * not ended; {@code null} for a skipped tick
 * @param count the number of ticks that this event represents. Greater than one only for
 * a {@link Decision#SKIPPED skipped} tick, if more than 1,000 ticks were due together; a
 * lower bound if more than 100,000 were
 */
public record RecurringTick(String name, Instant due, Instant at, Decision decision, @Nullable String jobId,
		long count) {

	/** Return how long after its due time the tick was handled. */
	public Duration lateness() {
		return Duration.between(this.due, this.at);
	}

	/**
	 * Receives ticks before the event listeners of the application do. Meant for parts of
	 * this library.
	 */
	@FunctionalInterface
	public interface Listener {

		/** Handle a tick. Exceptions are logged. */
		void told(RecurringTick tick);

	}

	/** Decisions about a tick. */
	public enum Decision {

		/** The tick was on time and has created a job. */
		ENQUEUED("E"),

		/** The tick has created no job, because an earlier job had not ended. */
		OVERLAPPED("D"),

		/**
		 * The tick has created no job yet. Its job will run after the job of an earlier
		 * tick has ended.
		 */
		QUEUED("R"),

		/** The tick was missed and has created a job late. */
		MADE_UP("M"),

		/** The tick was missed, or was stopped by an interceptor, and created no job. */
		SKIPPED("S");

		private final String letter;

		Decision(String letter) {
			this.letter = letter;
		}

		/** Return the letter that {@code tick.lua} stores for this decision. */
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
