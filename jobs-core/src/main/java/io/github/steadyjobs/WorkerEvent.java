package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * An event that affected the workers of this process, or that these workers noticed.
 * Events are published as Spring application events, in order, on a dedicated thread: a
 * slow listener delays later events, but no job. {@code process} is the name of this
 * process in Redis unless stated otherwise.
 */
public sealed interface WorkerEvent {

	/** The workers were started. */
	record Started(String process) implements WorkerEvent {

	}

	/** The workers take no more jobs and finish those that they are running. */
	record Quieted(String process) implements WorkerEvent {

	}

	/** Workers are about to stop: running jobs must end within the shutdown timeout. */
	record Stopping(String process) implements WorkerEvent {

	}

	/**
	 * The workers have stopped.
	 *
	 * @param unfinished how many jobs did not end in time; they went back to their
	 * queues, or are dead if they must not run twice
	 */
	record Stopped(String process, int unfinished) implements WorkerEvent {

	}

	/**
	 * At least one queue has confirmed a heartbeat since the previous event of this kind.
	 */
	record Beat(String process) implements WorkerEvent {

	}

	/**
	 * A queue no longer counts this process as alive: the process was paused or cut off
	 * for longer than {@code steadyjobs.liveness.death-after}, or Redis has lost data.
	 * The jobs of that queue that this process was running no longer belong to it. This
	 * process continues under a new name.
	 *
	 * @param process the previous name, which is no longer valid
	 */
	record Fenced(String queue, String process) implements WorkerEvent {

	}

	/**
	 * A run ended in this process, but its job already belonged to another worker, so the
	 * result was refused.
	 */
	record Refused(String queue, String jobId) implements WorkerEvent {

	}

	/**
	 * This process has removed another process from a queue because that process had
	 * stopped sending heartbeats. Also published, with the name of this process, if this
	 * process has given up jobs that it held without running them.
	 *
	 * @param process the name in that queue of the process that held the jobs
	 * @param returned how many of these jobs went back to the queue
	 * @param dead how many of these jobs are dead, because they must not run again
	 */
	record Recovered(String queue, String process, long returned, long dead) implements WorkerEvent {

	}

	/**
	 * Redis has lost data of a queue, for example through a restart without persistence,
	 * a restore of an older copy, or a failover to a replica that lacked data.
	 *
	 * @param lost how many changes are missing, {@code null} if all are missing
	 */
	record DataLost(String queue, @Nullable Long lost) implements WorkerEvent {

	}

	/**
	 * A capsule has neither claimed nor settled a job for a minute, although jobs are
	 * ready for it, a worker is free and Redis answers. Restarting the process may be the
	 * only remedy.
	 */
	record Stalled(String capsule) implements WorkerEvent {

	}

	/** A capsule that was {@link Stalled stalled} works again. */
	record Resumed(String capsule) implements WorkerEvent {

	}

	/**
	 * A run has taken longer than {@code steadyjobs.runs.slow-after} allows.
	 *
	 * @param ran the duration of the run
	 */
	record SlowRun(String queue, String job, String jobId, Duration ran) implements WorkerEvent {

	}

	/**
	 * A run is taking longer than {@code steadyjobs.runs.stuck-after} allows. Published
	 * again each time the duration has doubled.
	 *
	 * @param running the duration of the run so far
	 */
	record StuckRun(String queue, String job, String jobId, Duration running) implements WorkerEvent {

	}

	/**
	 * Receives events before the application's event listeners do. Meant for parts of
	 * this library, which must not depend on the speed or the exceptions of those
	 * listeners. An application listens to {@link WorkerEvent}s with
	 * {@code @EventListener}.
	 * <p>
	 * Called for one event at a time, on a thread that only delivers events. An exception
	 * is logged, and the other listeners still receive the event.
	 */
	@FunctionalInterface
	interface Listener {

		/** Handle an event. Should return quickly, because later events wait for it. */
		void told(WorkerEvent event);

	}

}
