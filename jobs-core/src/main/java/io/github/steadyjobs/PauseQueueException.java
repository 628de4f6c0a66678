package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job to pause its queue, or all jobs with its name, in all processes,
 * because a system that the job calls asks for fewer calls, for example with the HTTP
 * status 429. The job itself runs again when the pause ends, and no retry is used up.
 * Counted as {@linkplain JobOutcome#PUT_OFF put off}.
 * <p>
 * When the pause ends, one job is tried. If that job succeeds, the other jobs follow. If
 * it fails, the pause continues for twice as long, up to an hour. If it throws this
 * exception again, the pause continues for the time that the exception specifies. In a
 * queue with shards, one job of each shard is tried. If only the jobs with one name are
 * paused, one of them is tried in each queue. A pause that is already in effect is not
 * changed.
 * <p>
 * Like any other exception, it rolls back a transaction that it propagates out of. It
 * must be thrown directly: as the cause of another exception it has no effect.
 */
public class PauseQueueException extends JobException {

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(365);

	private final @Nullable Duration pause;

	private final @Nullable Instant until;

	private boolean jobOnly;

	/**
	 * Pause for a period of time.
	 * @param message the reason, for display
	 * @param pause the length of the pause, at least a millisecond; more than a year
	 * counts as a year
	 */
	public PauseQueueException(String message, Duration pause) {
		super(message);
		this.pause = pause;
		this.until = null;
	}

	/**
	 * Pause until a given time, by the clock of this machine.
	 * @param message the reason, for display
	 * @param until when the pause ends; if this time has already passed, the pause lasts
	 * a millisecond
	 */
	public PauseQueueException(String message, Instant until) {
		super(message);
		this.pause = null;
		this.until = until;
	}

	/** Pause only the jobs that have the same name as this job, in all queues. */
	public PauseQueueException ofJobOnly() {
		this.jobOnly = true;
		return this;
	}

	/** Return whether only jobs with the same name are paused. */
	public boolean isOfJobOnly() {
		return this.jobOnly;
	}

	/**
	 * Return how long the pause lasts, counted from the given time.
	 * @param now the current time
	 * @return the duration, a millisecond to a year
	 */
	public Duration pauseFrom(Instant now) {
		Duration asked = (this.until != null) ? Duration.between(now, this.until)
				: (this.pause != null) ? this.pause : Duration.ZERO;
		Duration bounded = (asked.compareTo(LONGEST) > 0) ? LONGEST : asked;
		return (bounded.compareTo(SHORTEST) < 0) ? SHORTEST : bounded;
	}

}
