package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A tick of a recurring job and what was decided. Published as an application event by
 * the process that handled the tick, once Redis has accepted it.
 *
 * @param name the name of the recurring job
 * @param due the time of the tick
 * @param at when it was handled, by the clock of Redis
 * @param decision what was decided
 * @param jobId the id of its job; for an {@link Decision#OVERLAPPED overlapping} tick the
 * id of the job that has not ended; {@code null} if there is none
 * @param count how many ticks this stands for: more than one only for a
 * {@link Decision#SKIPPED skipped} one, when more than 1,000 were skipped at once
 */
public record RecurringTick(String name, Instant due, Instant at, Decision decision, @Nullable String jobId,
		long count) {

	/** Return the time from when it was due until it was handled. */
	public Duration lateness() {
		return Duration.between(this.due, this.at);
	}

	/**
	 * Is notified of ticks before event listeners of the application. Meant for parts of
	 * this library.
	 */
	@FunctionalInterface
	public interface Listener {

		/** Handle a tick. Exceptions are logged. */
		void told(RecurringTick tick);

	}

	/** What was decided about a tick. */
	public enum Decision {

		/** It was on time, and made a job. */
		ENQUEUED("E"),

		/** It made no job, because the job of an earlier tick has not ended. */
		OVERLAPPED("D"),

		/** It made no job yet: one runs once the job of an earlier tick has ended. */
		QUEUED("R"),

		/** It was missed, and made a job. */
		MADE_UP("M"),

		/** It made no job, because it was missed or an interceptor stopped it. */
		SKIPPED("S");

		private final String letter;

		Decision(String letter) {
			this.letter = letter;
		}

		/** Return the letter that {@code tick.lua} stores for it. */
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
