package io.github.steadyjobs.admin;

import java.time.Instant;

import io.github.steadyjobs.pause.Pauses.Pause;
import org.jspecify.annotations.Nullable;

/**
 * A pause of a queue or of all jobs with a name.
 *
 * @param kind the kind of thing that is paused
 * @param name the name of the queue or of the job
 * @param who the person or the breaker that made the pause
 * @param why the reason for the pause
 * @param since when the pause began, by the clock of Redis
 * @param until when the pause ends automatically, by the clock of Redis; {@code null} if
 * it has no end
 * @param byBreaker whether a breaker, or a job with a {@code PauseQueueException}, made
 * the pause; when it ends, one job is tried, and the other jobs follow only if that job
 * succeeds
 * @param version distinguishes this pause from earlier and later pauses
 */
public record JobPause(Kind kind, String name, String who, String why, Instant since, @Nullable Instant until,
		boolean byBreaker, long version) {

	static JobPause of(Pause pause) {
		return new JobPause(pause.target().isQueue() ? Kind.QUEUE : Kind.JOB, pause.target().name(), pause.who(),
				pause.why(), Instant.ofEpochMilli(pause.since()),
				(pause.until() > 0) ? Instant.ofEpochMilli(pause.until()) : null, pause.triesOne(), pause.version());
	}

	/** The kind of thing that is paused. */
	public enum Kind {

		/** A queue, which hands out no jobs while it is paused. */
		QUEUE,

		/** All jobs with a name, in all queues. */
		JOB

	}

}
