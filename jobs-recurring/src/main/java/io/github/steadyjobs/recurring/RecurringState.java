package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a recurring job at one moment.
 *
 * @param job the definition that counts
 * @param origin where it comes from
 * @param status whether it runs
 * @param pause who has paused it, {@code null} if nobody has
 * @param next the next times at which it runs, up to five; the first has passed if it has
 * not been handled yet; empty if the recurring job is paused or has ended
 * @param late by how much the first of these times has passed, by the clock of Redis;
 * zero if it is in the future
 * @param last the latest tick, {@code null} if there was none
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

	/** Where a recurring job comes from. */
	public enum Origin {

		/** A {@link io.github.steadyjobs.Recurring} annotation of a living process. */
		DECLARED,

		/** {@link RecurringJobs#create}. */
		CREATED

	}

	/** Whether a recurring job runs. */
	public enum Status {

		/** It runs at its times. */
		ACTIVE,

		/** It is paused: its ticks pass by and are not missed. */
		PAUSED,

		/**
		 * No living process can run its job. It continues once there is one; the ticks
		 * until then count as missed.
		 */
		PARKED,

		/** Its last time has come. */
		ENDED

	}

	/**
	 * A pause.
	 *
	 * @param who who has paused it, 1 to 255 characters on one line
	 * @param why 1 to 1,000 characters
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
	 * The latest tick.
	 *
	 * @param due the time of the tick
	 * @param at when it was handled
	 * @param decision what was decided
	 * @param jobId the id of its job, or of the earlier job that has not ended;
	 * {@code null} if there is none
	 * @param outcome how its latest run has ended, {@code null} if none has
	 * @param ran how long that took
	 */
	public record LastTick(Instant due, Instant at, Decision decision, @Nullable String jobId,
			@Nullable JobOutcome outcome, Duration ran) {

		/** Return the time from when it was due until it was handled. */
		public Duration lateness() {
			return Duration.between(this.due, this.at);
		}

	}

}
