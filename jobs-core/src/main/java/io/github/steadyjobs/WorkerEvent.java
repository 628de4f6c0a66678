package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to the workers of this process, or that they noticed. Each is
 * published as an event of the Spring application, in order, on a thread that does
 * nothing else: a slow listener delays later events and no job. {@code process} is the
 * name of this process in Redis, unless something else is said.
 */
public sealed interface WorkerEvent {

	/** The workers were started. */
	record Started(String process) implements WorkerEvent {

	}

	/** The workers take no more jobs, and finish those that they have. */
	record Quieted(String process) implements WorkerEvent {

	}

	/**
	 * The workers are about to stop: running jobs have until the shutdown timeout to end.
	 */
	record Stopping(String process) implements WorkerEvent {

	}

	/**
	 * The workers have stopped.
	 *
	 * @param unfinished how many jobs had not ended and were put back
	 */
	record Stopped(String process, int unfinished) implements WorkerEvent {

	}

	/** All queues have answered a heartbeat. */
	record Beat(String process) implements WorkerEvent {

	}

	/**
	 * A queue no longer counts this process as alive: it was paused or cut off for longer
	 * than {@code steadyjobs.liveness.death-after}, or Redis has lost data. Jobs of that
	 * queue that it was running belong to others now; it continues under a new name.
	 *
	 * @param process the name that no longer counts
	 */
	record Fenced(String queue, String process) implements WorkerEvent {

	}

	/**
	 * A run ended here whose job belongs to another worker by now, so its end was
	 * refused.
	 */
	record Refused(String queue, String jobId) implements WorkerEvent {

	}

	/**
	 * This process has removed another one, which showed no more signs of life, from a
	 * queue.
	 *
	 * @param process the name of the dead process in that queue
	 * @param returned how many of its jobs went back to the queue
	 * @param dead how many of them are dead, because they must not run again
	 */
	record Recovered(String queue, String process, long returned, long dead) implements WorkerEvent {

	}

	/**
	 * Redis has lost data of a queue: after a restart without persistence, a restore of
	 * an older copy, or a failover to a replica that had not received everything.
	 *
	 * @param lost how many changes are missing, {@code null} if all of them
	 */
	record DataLost(String queue, @Nullable Long lost) implements WorkerEvent {

	}

	/**
	 * A capsule has claimed and settled nothing for a minute, although jobs are ready for
	 * it, a worker is free and Redis answers. Only a restart of the process may help.
	 */
	record Stalled(String capsule) implements WorkerEvent {

	}

	/** A capsule that was {@link Stalled stalled} works again. */
	record Resumed(String capsule) implements WorkerEvent {

	}

	/**
	 * A run has taken longer than {@code steadyjobs.runs.slow-after} allows.
	 *
	 * @param ran how long it ran
	 */
	record SlowRun(String queue, String job, String jobId, Duration ran) implements WorkerEvent {

	}

	/**
	 * A run takes longer than {@code steadyjobs.runs.stuck-after} allows. Published again
	 * whenever it has taken twice as long as before.
	 *
	 * @param running how long it has been running
	 */
	record StuckRun(String queue, String job, String jobId, Duration running) implements WorkerEvent {

	}

	/**
	 * Receives events before event listeners of the application do. Meant for parts of
	 * this library, which must not depend on how long those take and what they throw. An
	 * application listens to {@link WorkerEvent}s with {@code @EventListener}.
	 * <p>
	 * Called for one event after another, on a thread of the workers. An exception is
	 * logged and does not keep the event from other listeners.
	 */
	@FunctionalInterface
	interface Listener {

		/** Handle an event. Should return soon, because later events wait. */
		void told(WorkerEvent event);

	}

}
