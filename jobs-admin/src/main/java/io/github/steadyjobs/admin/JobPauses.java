package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.admin.PauseResult.Status;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Change;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Pauses and resumes queues and jobs, in all processes.
 * <p>
 * A pause lasts until somebody resumes the queue or the jobs, or until the pause expires,
 * even if all processes are restarted. Running jobs continue, and jobs that have not
 * begun wait. Jobs can still be enqueued. A paused queue keeps its jobs where they are.
 * Jobs with a paused name are parked, and other jobs in their queue continue. When the
 * name is resumed, the parked jobs go back to the head of their queue, oldest first.
 * <p>
 * A pause that was made by a breaker can be ended and replaced like any other pause.
 * <p>
 * If two people act at the same time, one of them succeeds and the other gets the current
 * state. To change a pause only if it is still the pause that you have seen, use
 * {@link #replace} and {@link #resume}.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused a request, is not
 * reachable or did not answer. In this case, the change may have been made nevertheless:
 * repeat the call or check with {@link #list()}. If the change did not reach a queue, the
 * workers' next heartbeats apply it there.
 * <p>
 * A pause has two strings for display: {@code who}, with 1 to 255 characters on one line,
 * and {@code why}, with 1 to 1,000 characters. Each method throws an
 * {@link IllegalArgumentException} if one of these strings is invalid, if the end is in
 * the past, or if the name of the queue or job is invalid.
 * <p>
 * Thread safe.
 */
public final class JobPauses {

	/** Maximum number of characters in a reason. */
	public static final int LONGEST_REASON = 1000;

	private static final int LONGEST_NAME = 255;

	private final PauseStore store;

	private final OperatorChange.Listener activity;

	/** Create a controller for pauses. */
	public JobPauses(RedisConnections connections, String prefix) {
		this(connections, prefix, OperatorChange.Listener.LOG);
	}

	/** Create a controller for pauses. The listener is notified of each change. */
	public JobPauses(RedisConnections connections, String prefix, OperatorChange.Listener activity) {
		this.store = new PauseStore(connections, prefix);
		this.activity = activity;
	}

	/** Return all pauses, in no particular order. */
	public List<JobPause> list() {
		return this.store.read().all().stream().map(JobPause::of).toList();
	}

	/** Pause a queue until it is resumed. */
	public PauseResult pauseQueue(String queue, String who, String why) {
		return pauseQueue(queue, who, why, null);
	}

	/**
	 * Pause a queue until it is resumed or a given time is reached.
	 * @param until when the queue resumes automatically, by the clock of Redis;
	 * {@code null} for no end
	 * @return the result: {@link Status#PAUSED}, {@link Status#ALREADY_PAUSED} or
	 * {@link Status#UNKNOWN_QUEUE}
	 */
	public PauseResult pauseQueue(String queue, String who, String why, @Nullable Instant until) {
		Target target = queue(queue);
		Order order = order(who, why, until);
		return this.store.isKnown(queue) ? pause(target, order) : new PauseResult(Status.UNKNOWN_QUEUE, null);
	}

	/** Pause all jobs with a name until they are resumed. */
	public PauseResult pauseJob(String job, String who, String why) {
		return pauseJob(job, who, why, null);
	}

	/**
	 * Pause all jobs with a name, in all queues, until they are resumed or a given time
	 * is reached.
	 * @param job the name of the job, which this application need not define. Jobs that
	 * were stored under a former name are paused too
	 * @param until when the jobs resume automatically, by the clock of Redis;
	 * {@code null} for no end
	 * @return the result: {@link Status#PAUSED} or {@link Status#ALREADY_PAUSED}
	 */
	public PauseResult pauseJob(String job, String who, String why, @Nullable Instant until) {
		return pause(job(job), order(who, why, until));
	}

	/**
	 * Replace a pause with another pause of the same queue or job, for example to let it
	 * expire at a given time.
	 * @param seen the pause, as it was listed
	 * @param until when the new pause expires; {@code null} for no end
	 * @return the result: {@link Status#PAUSED}; {@link Status#CHANGED} if the pause was
	 * replaced meanwhile; {@link Status#NOT_PAUSED} if it is already over
	 */
	public PauseResult replace(JobPause seen, String who, String why, @Nullable Instant until) {
		Change change = this.store.change(target(seen), same(seen), order(who, why, until));
		return change.done() ? paused(change) : refused(change);
	}

	/**
	 * Resume a queue, no matter who paused it.
	 * @return the result: {@link Status#RESUMED} with the pause that has ended, or
	 * {@link Status#NOT_PAUSED}; or {@link Status#UNKNOWN_QUEUE}
	 */
	public PauseResult resumeQueue(String queue) {
		Target target = queue(queue);
		PauseResult result = resume(target);
		// A queue whose name was forgotten may still be paused.
		boolean isUnknown = result.status() == Status.NOT_PAUSED && !this.store.isKnown(queue);
		return isUnknown ? new PauseResult(Status.UNKNOWN_QUEUE, null) : result;
	}

	/**
	 * Resume all jobs with a name, no matter who paused them.
	 * @return the result: {@link Status#RESUMED} with the pause that has ended, or
	 * {@link Status#NOT_PAUSED}
	 */
	public PauseResult resumeJob(String job) {
		return resume(job(job));
	}

	/**
	 * End a pause, if it has not been replaced.
	 * @param seen the pause, as it was listed
	 * @return the result: {@link Status#RESUMED}; {@link Status#CHANGED} if the pause was
	 * replaced meanwhile; {@link Status#NOT_PAUSED} if it is already over
	 */
	public PauseResult resume(JobPause seen) {
		Change change = this.store.change(target(seen), same(seen), null);
		return change.done() ? resumed(change) : refused(change);
	}

	private PauseResult pause(Target target, Order order) {
		Change change = this.store.change(target, (standing) -> standing == null, order);
		return change.done() ? paused(change) : result(Status.ALREADY_PAUSED, change);
	}

	private PauseResult resume(Target target) {
		// Do this even if there seems to be no pause, because a queue may have kept a
		// pause that was lost from the hash of pauses.
		Change change = this.store.change(target, (standing) -> true, null);
		return (change.pause() != null) ? resumed(change) : result(Status.NOT_PAUSED, change);
	}

	private PauseResult paused(Change change) {
		PauseResult result = result(Status.PAUSED, change);
		JobPause pause = Objects.requireNonNull(result.pause());
		this.activity.changed(
				OperatorChange
					.of("pause", "Paused: " + pause, kind(pause), pause.name(), "why", pause.why(), "until",
							(pause.until() != null) ? pause.until().toString() : null)
					.by(pause.who()));
		return result;
	}

	private PauseResult resumed(Change change) {
		PauseResult result = result(Status.RESUMED, change);
		JobPause pause = Objects.requireNonNull(result.pause());
		this.activity.changed(OperatorChange.of("resume", "Resumed: " + pause, kind(pause), pause.name()));
		return result;
	}

	/** Return how a report names the target: {@code queue}, or {@code name} for a job. */
	private static String kind(JobPause pause) {
		return (pause.kind() == JobPause.Kind.QUEUE) ? "queue" : "name";
	}

	private static PauseResult refused(Change change) {
		return result((change.pause() != null) ? Status.CHANGED : Status.NOT_PAUSED, change);
	}

	private static PauseResult result(Status status, Change change) {
		Pause pause = change.pause();
		return new PauseResult(status, (pause != null) ? JobPause.of(pause) : null);
	}

	private static Predicate<@Nullable Pause> same(JobPause seen) {
		return (standing) -> standing != null && standing.version() == seen.version();
	}

	private static Target target(JobPause seen) {
		return (seen.kind() == JobPause.Kind.QUEUE) ? queue(seen.name()) : job(seen.name());
	}

	private static Target queue(String queue) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		Assert.isTrue(Names.isName(queue), () -> "Queue '%s' must be %s".formatted(queue, Names.RULE));
		return Target.queue(queue);
	}

	private static Target job(String job) {
		Assert.notNull(job, "'job' must not be null; pass the name of a job");
		Assert.isTrue(Names.isJobName(job), () -> "Job '%s' must be %s".formatted(job, Names.JOB_RULE));
		return Target.job(job);
	}

	private static Order order(String who, String why, @Nullable Instant until) {
		Assert.isTrue(
				who != null && !who.isBlank() && who.length() <= LONGEST_NAME
						&& who.chars().noneMatch(Character::isISOControl),
				() -> "'who' must be 1 to %d characters on one line, but is '%s'".formatted(LONGEST_NAME, who));
		Assert.isTrue(why != null && !why.isBlank() && why.length() <= LONGEST_REASON,
				() -> "'why' must be 1 to %d characters, but is '%s'".formatted(LONGEST_REASON, why));
		Assert.isTrue(until == null || until.isAfter(Instant.now()),
				() -> "'until' must be in the future, but is " + until);
		return Order.byPerson(until, who, why);
	}

}
