package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job to pause its queue, or all jobs of its name, on all processes, because
 * a system that it calls asks for a break, as with the HTTP status 429. The job itself
 * runs again when the pause ends, and no retry is used up. Counted as
 * {@linkplain JobOutcome#PUT_OFF put off}.
 * <p>
 * When the pause ends, one job is tried. If it ends well, the others follow. If it fails,
 * the pause continues for twice as long, up to an hour; if it throws this exception too,
 * for as long as that says. In a queue with shards, one job of each shard is tried. A
 * pause that was made by somebody else stays as it is.
 * <p>
 * Like any other exception it rolls back a transaction that it leaves. It must be thrown
 * itself: as the cause of another exception it has no effect.
 */
public class PauseQueueException extends JobException {

	private final @Nullable Duration pause;

	private final @Nullable Instant until;

	private boolean jobOnly;

	/**
	 * Pause for some time.
	 * @param message the reason, for display
	 * @param pause how long, at least a millisecond; more than a year counts as a year
	 */
	public PauseQueueException(String message, Duration pause) {
		super(message);
		this.pause = pause;
		this.until = null;
	}

	/**
	 * Pause until a time, by the clock of this machine.
	 * @param message the reason, for display
	 * @param until when the pause ends; if that is over, the pause takes a millisecond
	 */
	public PauseQueueException(String message, Instant until) {
		super(message);
		this.pause = null;
		this.until = until;
	}

	/** Pause only jobs with the name of this one, in whichever queue they are. */
	public PauseQueueException ofJobOnly() {
		this.jobOnly = true;
		return this;
	}

	/** Return whether only jobs of the same name pause. */
	public boolean isOfJobOnly() {
		return this.jobOnly;
	}

	/**
	 * Return how long the pause is from now on.
	 * @param now the present time
	 * @return the time, negative if it is over
	 */
	public Duration pauseFrom(Instant now) {
		return (this.until != null) ? Duration.between(now, this.until)
				: (this.pause != null) ? this.pause : Duration.ZERO;
	}

}
