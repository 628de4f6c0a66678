package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the state of a recurring job.
 *
 * @param job the recurring job, with the definition that is in effect
 * @param origin the origin of the definition
 * @param status whether the recurring job runs, or why not
 * @param pause the pause, {@code null} if the recurring job is not paused
 * @param next the next times of the recurring job, at most five. The first time may have
 * passed, if its tick has not been handled yet. Empty if the recurring job is paused or
 * has ended
 * @param late how long ago the first of these times was, by the clock of Redis; zero if
 * it is in the future or if there are none
 * @param last the latest tick, {@code null} if there has been no tick
 */
public record RecurringState(RecurringJob job, Origin origin, Status status, @Nullable Pause pause, List<Instant> next,
		Duration late, @Nullable LastTick last) {

	public RecurringState {
		next = List.copyOf(next);
	}

	/** Return the name of the recurring job. */
	public String name() {
		return this.job.name();
	}

	/** The origin of a recurring job. */
	public enum Origin {

		/**
		 * A {@link io.github.steadyjobs.Recurring} annotation declares the recurring job.
		 */
		DECLARED,

		/** The recurring job was created with {@link RecurringJobs#create}. */
		CREATED

	}

	/** Whether a recurring job runs, or why not. */
	public enum Status {

		/** The recurring job runs at its scheduled times. */
		ACTIVE,

		/** Paused: ticks that are due do not run and do not count as missed. */
		PAUSED,

		/**
		 * No live process can run the job. The recurring job continues as soon as a
		 * process can run the job; ticks that are due before then count as missed.
		 */
		PARKED,

		/** The last scheduled time has passed. */
		ENDED

	}

	/**
	 * A pause of a recurring job.
	 *
	 * @param who the person who paused the recurring job: 1 to 255 characters on one line
	 * @param why the reason: 1 to 1,000 characters
	 * @param since when the pause began
	 */
	public record Pause(String who, String why, Instant since) {

		public Pause {
			Reason.INVALID.unless(
					who != null && !who.isBlank() && who.length() <= 255
							&& who.chars().noneMatch(Character::isISOControl),
					"'who' must be 1 to 255 characters on one line, but is '%s'", who);
			Reason.INVALID.unless(why != null && !why.isBlank() && why.length() <= 1000,
					"'why' must be 1 to 1,000 characters, but is '%s'", why);
		}

	}

	/**
	 * The latest tick of a recurring job.
	 *
	 * @param due when the tick was due
	 * @param at when the tick was handled
	 * @param decision the decision about the tick
	 * @param jobId the id of the job of the tick; for an overlapping or queued tick, the
	 * id of the earlier job that had not ended; {@code null} for a skipped tick
	 * @param outcome the outcome of the latest run of that job, {@code null} if no run
	 * has ended
	 * @param ran the duration of that run; zero if no run has ended
	 */
	public record LastTick(Instant due, Instant at, Decision decision, @Nullable String jobId,
			@Nullable JobOutcome outcome, Duration ran) {

		/** Return how long after its due time the tick was handled. */
		public Duration lateness() {
			return Duration.between(this.due, this.at);
		}

	}

}
