package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.admin.AdminStore.Changed;
import io.github.steadyjobs.admin.AdminStore.Description;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.admin.JobDetails.Reason;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Shows and changes jobs and queues. Available as a bean. Thread safe.
 * <p>
 * No method searches unbounded data or keeps Redis busy: a page usually costs three round
 * trips, a filtered page examines at most 5,000 jobs and returns where to continue, and a
 * change to many jobs is made in steps of at most 1,000.
 * <p>
 * Several operators and the workers may be active at the same time. A job is changed only
 * if it is still where it was found. If two operators change the same job, the second
 * operator gets a result that says so.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused a request, is not
 * reachable or did not answer. In this case, the change may have been made nevertheless.
 */
public final class JobAdmin {

	private static final Logger logger = LoggerFactory.getLogger(JobAdmin.class);

	/** Maximum number of jobs moved in one step. Each job takes several round trips. */
	private static final int MOVED_AT_ONCE = 100;

	private final AdminStore store;

	private final QueueMonitor monitor;

	private final PauseStore pauses;

	private final JobProcesses processes;

	private final PayloadCodec codec;

	private final DeadLimits limits;

	private final JobPages pages;

	private final OrderedJobs ordered;

	private final JobEdits edits;

	private final OperatorChange.Listener activity;

	/**
	 * Create an instance. The limits determine how many dead jobs are kept, and for how
	 * long.
	 */
	public JobAdmin(RedisConnections connections, String prefix, PayloadCodec codec, OrderedJobs ordered,
			DeadLimits limits) {
		this(connections, prefix, codec, ordered, limits, OperatorChange.Listener.LOG);
	}

	/**
	 * Create an instance. The limits determine how many dead jobs are kept, and for how
	 * long. The listener is notified of each change.
	 */
	public JobAdmin(RedisConnections connections, String prefix, PayloadCodec codec, OrderedJobs ordered,
			DeadLimits limits, OperatorChange.Listener activity) {
		this.store = new AdminStore(connections, prefix, ordered.store().removals());
		this.monitor = new QueueMonitor(connections, prefix);
		this.pauses = new PauseStore(connections, prefix);
		this.processes = new JobProcesses(connections, prefix, activity);
		this.codec = codec;
		this.limits = limits;
		this.pages = new JobPages(this.store, codec);
		this.ordered = ordered;
		this.edits = new JobEdits(this.store, new JobLocks(connections, prefix, activity),
				new MoveStore(connections, prefix), ordered.registry(), codec);
		this.activity = activity;
	}

	/**
	 * Measure all queues that have jobs or processes now, or have had any within the last
	 * hour. The result is sorted by name.
	 */
	public List<QueueState> queues() {
		List<QueueState> queues = new ArrayList<>();
		this.monitor.totals(List.of()).forEach((name, sample) -> queues.add(QueueState.of(name, sample)));
		return queues;
	}

	/**
	 * Read a page of jobs. Scheduled jobs and retries are sorted by due time, earliest
	 * first, and dead jobs by time of death, newest first, across all queues. Jobs that
	 * wait for a worker are listed queue by queue, in the order in which they run. Other
	 * jobs are listed in no particular order. A job that moves meanwhile may be listed
	 * twice or not at all.
	 * @return the page, which may have fewer jobs than requested or, for parked and
	 * running jobs, a few more
	 * @throws IllegalArgumentException if {@link JobQuery#after()} was not returned by a
	 * page
	 */
	public JobPage page(JobQuery query) {
		return this.pages.page(query, (part, job) -> {
		});
	}

	/**
	 * Count the jobs that match a query, in one bounded step: with a filter or a period
	 * of time, at most 10,000 jobs are examined.
	 * @param query the jobs to count; its size is ignored
	 * @return the number of jobs, or a lower bound
	 * @throws IllegalArgumentException if {@link JobQuery#after()} was not returned by a
	 * page
	 */
	public JobCount count(JobQuery query) {
		if (!query.isFiltered() && query.times() == null && query.after().isEmpty()) {
			return new JobCount(queues().stream()
				.filter((queue) -> query.queue() == null || queue.name().equals(query.queue()))
				.mapToLong((queue) -> queue.count(query.place()))
				.sum(), true);
		}
		long found = 0;
		int examined = 0;
		JobPage page = page(query.size(JobQuery.MOST_AT_ONCE));
		while (page.hasNext() && examined + page.examined() < JobPages.MOST_EXAMINED) {
			found += page.jobs().size();
			examined += page.examined();
			page = page(query.size(JobQuery.MOST_AT_ONCE).after(page.next()));
		}
		return new JobCount(found + page.jobs().size(), !page.hasNext());
	}

	/**
	 * Find a job in all queues. Takes two round trips, a third round trip if the job is
	 * paused, and two more if it is running.
	 * @param id the id of the job; for an ordered job, all payloads of a key share one id
	 * @return the job and why it does not run; empty if there is no such job, or if it
	 * has ended
	 */
	public Optional<JobDetails> find(String id) {
		return describe(id).map((found) -> {
			JobDetails details = JobDetails.of(id, found, this.codec);
			if (details.reason() == Reason.RUNS) {
				return details.with(this.processes.list());
			}
			return details.isPaused() ? details.with(this.pauses.read()) : details;
		});
	}

	private Optional<Description> describe(String id) {
		Assert.hasText(id, "'id' must not be empty; pass the id of a job");
		return this.store.describe(this.store.parts(null), id);
	}

	/**
	 * Change one job. For an ordered job, {@link JobAction#KILL} moves only the next
	 * payload to the dead set, and the other payloads of the key continue. If the
	 * connection breaks, the result may come from a second attempt, which finds that the
	 * job has already changed.
	 * @return whether the change was made, or why not
	 */
	public JobChange change(JobAction action, String id) {
		return change(action.text(), id, (job, found) -> change(action, job, found));
	}

	private JobChange change(JobAction action, JobEntry job, Description found) {
		if (job.place() == JobPlace.WORKING) {
			return JobEdits.running(job);
		}
		if (!action.places().contains(job.place())) {
			return new JobChange(Outcome.REFUSED, "%s is in '%s', and '%s' is only for jobs in %s"
				.formatted(job.label(), job.place().part().text(), action.text(), action.placesText()));
		}
		try {
			return changeOne(action, job, found)
					? new JobChange(Outcome.DONE, job.label() + " of queue " + job.queue() + " " + action.done())
					: JobEdits.changed(job);
		}
		catch (JobStoreException ex) {
			if (ex.reason() != JobStoreException.Reason.KEY_FULL) {
				throw ex;
			}
			return new JobChange(Outcome.REFUSED, "%s stays dead: %s".formatted(job.label(), ex.getMessage()));
		}
	}

	/**
	 * Change a single job, if there is one, and report that.
	 * @param more names and values to be reported in addition
	 */
	private JobChange change(String action, String id, BiFunction<JobEntry, Description, JobChange> change,
			String... more) {
		return describe(id).map((found) -> {
			JobEntry job = entry(id, found);
			return report(action, job, change.apply(job, found), more);
		}).orElseGet(() -> JobEdits.gone(id));
	}

	/** Report a change to a single job or, if it was not made, log the reason. */
	private JobChange report(String action, JobEntry job, JobChange change, String... more) {
		if (!change.isDone()) {
			logger.info("{}", change.message());
			return change;
		}
		Map<String, String> target = new LinkedHashMap<>();
		target.put("job", job.id());
		if (job.payload() != null) {
			target.put("name", job.payload().name());
		}
		target.put("queue", job.queue());
		for (int i = 0; i < more.length; i += 2) {
			target.put(more[i], more[i + 1]);
		}
		this.activity.changed(OperatorChange.of(action, change.message(), target));
		return change;
	}

	private boolean changeOne(JobAction action, JobEntry job, Description found) {
		if (isRevival(action, found.part(), job.place())) {
			return this.ordered.revive(job.id());
		}
		if (action == JobAction.KILL && QueueRef.isPart(found.part())) {
			return this.ordered.kill(job.id(), found, this.limits);
		}
		Tally tally = new Tally();
		change(action, found.part(), job.place(), List.of(job.id()), tally);
		return tally.done == 1;
	}

	/**
	 * Return whether the action makes dead payloads of ordered jobs join the waiting
	 * payloads of their keys.
	 */
	private static boolean isRevival(JobAction action, String part, JobPlace place) {
		return action == JobAction.RETRY && place == JobPlace.DEAD && QueueRef.isPart(part);
	}

	/**
	 * Change many jobs, in one bounded step. Ordered jobs cannot be killed in this way.
	 * Continue with {@code query.after(step.next())} as long as
	 * {@link BulkChange#hasNext()} returns {@code true}. All steps together are recorded
	 * as one {@link OperatorAction}.
	 * @param query the jobs to change and where to begin; its size is ignored
	 * @return the number of changed jobs, and where the next step begins
	 * @throws IllegalArgumentException if the action cannot change jobs in that place
	 * @throws JobStoreException as for each method; it is safe to repeat the step
	 */
	public BulkChange change(JobAction action, JobQuery query) {
		Assert.isTrue(action.places().contains(query.place()), () -> "'%s' is only for jobs in %s, and not in '%s'"
			.formatted(action.text(), action.placesText(), query.place().part().text()));
		BulkChange.Step step = BulkChange.Step.of(query.after());
		Map<String, List<String>> ids = new LinkedHashMap<>();
		String next;
		int examined = 0;
		boolean mayComeBack = query.place() == JobPlace.RETRIES
				&& (action == JobAction.RUN_NOW || action == JobAction.RETRY);
		if (query.isFiltered() || mayComeBack) {
			BulkChange.Walk walk = BulkChange.Walk.of(step.after());
			JobPage page = this.pages.page(query.size(AdminStore.CHANGED_AT_ONCE).after(walk.after()), (part, job) -> {
				if (!mayComeBack || !walk.hasMet(job)) {
					ids.computeIfAbsent(part, (key) -> new ArrayList<>()).add(job.id());
				}
			});
			next = mayComeBack ? walk.cursor(page.next()) : page.next();
			examined = page.examined();
		}
		else {
			JobPages.Steps steps = this.pages.steps(query.after(step.after()));
			for (JobPages.Candidate candidate : steps.next(AdminStore.CHANGED_AT_ONCE)) {
				ids.computeIfAbsent(candidate.part(), (part) -> new ArrayList<>()).add(candidate.id());
				steps.passed(candidate);
				examined++;
			}
			next = steps.cursor();
		}
		Tally tally = new Tally();
		int wanted = 0;
		try {
			for (Map.Entry<String, List<String>> some : ids.entrySet()) {
				int before = tally.done;
				changeMany(action, some.getKey(), query.place(), some.getValue(), tally);
				wanted += some.getValue().size();
				if (action == JobAction.KILL && query.place().isList()) {
					next = JobPages.withoutTaken(next, some.getKey(), tally.done - before);
				}
			}
		}
		finally {
			report(action.text(), query.parts(), step, tally.done, examined);
		}
		return new BulkChange(tally.done, wanted - tally.done - tally.gone, examined,
				next.isEmpty() ? next : step.cursor(next));
	}

	/** Report a step of a change to many jobs or, if no job was changed, only log it. */
	private void report(String action, Map<String, String> jobs, BulkChange.Step step, int done, int examined) {
		String message = "'%s' of jobs in '%s': %d of %d were changed".formatted(action, jobs.get("place"), done,
				examined);
		if (done > 0) {
			this.activity.changed(OperatorChange.of(action, message, jobs).count(done).stepOf(step.id()));
		}
		else {
			logger.info("{}", message);
		}
	}

	/** Change jobs of one queue or shard. */
	private void changeMany(JobAction action, String part, JobPlace place, List<String> ids, Tally tally) {
		if (isRevival(action, part, place)) {
			ids.forEach((id) -> tally.done += reviveIfPossible(id) ? 1 : 0);
		}
		else if (action != JobAction.KILL || !QueueRef.isPart(part)) {
			change(action, part, place, ids, tally);
		}
	}

	/**
	 * Make a dead payload run again, unless its key is full, it is not JSON, or this
	 * application does not define its job. One such payload must not keep the others
	 * dead.
	 */
	private boolean reviveIfPossible(String id) {
		try {
			return this.ordered.revive(id);
		}
		catch (InvalidJobException | IllegalArgumentException ex) {
			logger.debug("Dead payload {} was left out", id, ex);
			return false;
		}
		catch (JobStoreException ex) {
			if (ex.reason() != JobStoreException.Reason.KEY_FULL) {
				throw ex;
			}
			return false;
		}
	}

	private void change(JobAction action, String part, JobPlace place, List<String> ids, Tally tally) {
		boolean oneByOne = action == JobAction.KILL && place.isList();
		int size = oneByOne ? 1 : AdminStore.CHANGED_AT_ONCE;
		for (int from = 0; from < ids.size(); from += size) {
			List<String> some = ids.subList(from, Math.min(from + size, ids.size()));
			Changed changed = switch (action) {
				case RUN_NOW -> this.store.runNow(part, place.part(), true, some);
				case RETRY -> this.store.runNow(part, place.part(), false, some);
				case KILL -> this.store.kill(part, place.part(), this.limits, some);
				case DELETE -> this.store.delete(part, place.part(), some);
			};
			tally.done += changed.done();
			tally.gone += changed.gone();
		}
	}

	/** The progress of a change so far, which is correct even if the change fails. */
	private static final class Tally {

		private int done;

		private int gone;

	}

	/**
	 * Change the arguments of a job that is not running. If its lock is derived from the
	 * arguments, the lock changes too.
	 * @param arguments a JSON array
	 * @return whether the change was made, or why not: for example, another job has the
	 * new lock
	 * @throws InvalidJobException if the arguments are not a JSON array, do not fit the
	 * method, or cannot be checked because this application does not define the job
	 */
	public JobChange edit(String id, String arguments) {
		return change("edit", id, (job, found) -> this.edits.edit(job, found, arguments));
	}

	private JobEntry entry(String id, Description found) {
		return JobDetails.of(id, found, this.codec).job();
	}

	/**
	 * Cancel a job that is not dead. If the job is running, it does not run again.
	 * @param interrupt whether to interrupt the job if it is running
	 * @return whether there was a job to cancel
	 */
	public boolean cancel(String id, boolean interrupt) {
		boolean isCancelled = JobIds.isId(id) && this.ordered.store().cancel(id, interrupt);
		if (isCancelled) {
			this.activity.changed(OperatorChange.of("cancel", "Job %s was cancelled".formatted(id), "job", id));
		}
		return isCancelled;
	}

	/**
	 * Change the due time of a job that is waiting or dead. A job that waits for a retry
	 * still waits for a retry afterwards; any other job becomes scheduled.
	 * @param due the new due time, by the clock of Redis
	 * @return whether the change was made, or why not
	 */
	public JobChange reschedule(String id, Instant due) {
		Assert.notNull(due, "'due' must not be null; pass when the job is due");
		return change("reschedule", id, (job, found) -> this.edits.reschedule(job, found, due), "due", due.toString());
	}

	/**
	 * Move a job that is not running to another queue, where it is put in the same place.
	 * The job keeps its lock if that lock is free in the other queue.
	 * @param queue the other queue, which must have been used before or be served by a
	 * process, and must not have ordered jobs
	 * @return whether the job was moved, or why not
	 * @throws IllegalArgumentException if there is no such queue
	 * @throws JobStoreException as for each method. The move may then be incomplete:
	 * after ten seconds, a worker puts the job back into its original queue, although the
	 * job may also be in the other queue
	 */
	public JobChange move(String id, String queue) {
		checkTarget(queue);
		return change("move", id, (job, found) -> this.edits.move(job, found, queue), "to", queue);
	}

	private void checkTarget(String queue) {
		Assert.isTrue(this.store.isPlainQueue(queue), () -> "No queue is called '" + queue
				+ "', or it has ordered jobs: name one that was used before or is served");
	}

	/**
	 * Move many jobs to another queue, in one bounded step. Each job is moved as by
	 * {@link #move(String, String)}. Continue as with
	 * {@link #change(JobAction, JobQuery)}.
	 * @param query the jobs to move and where to begin; its size is ignored
	 * @return the number of moved jobs, and where the next step begins
	 * @throws IllegalArgumentException if there is no such queue
	 * @throws JobStoreException as for each method; it is safe to repeat the step
	 */
	public BulkChange move(JobQuery query, String queue) {
		checkTarget(queue);
		BulkChange.Step step = BulkChange.Step.of(query.after());
		JobPage page = page(query.size(MOVED_AT_ONCE).after(step.after()));
		int done = 0;
		try {
			for (JobEntry job : page.jobs()) {
				done += describe(job.id())
					.filter((found) -> this.edits.move(entry(job.id(), found), found, queue).isDone())
					.isPresent() ? 1 : 0;
			}
		}
		finally {
			Map<String, String> jobs = query.parts();
			jobs.put("to", queue);
			report("move", jobs, step, done, page.examined());
		}
		// In a list, later jobs have moved up to the positions of the jobs that were
		// removed.
		boolean shifted = query.place().isList() && done > 0 && page.hasNext();
		String next = shifted ? step.after() : page.next();
		return new BulkChange(done, page.jobs().size() - done, page.examined(),
				page.hasNext() ? step.cursor(next) : "");
	}

	/**
	 * Delete all jobs of a queue that are in the given place at the time of the call, in
	 * steps of 1,000. Their locks are released.
	 * @param place the place of the jobs, which must not be {@link JobPlace#WORKING}
	 * @return the number of deleted jobs
	 * @throws IllegalArgumentException if the queue is unknown, or the place is
	 * {@link JobPlace#WORKING}
	 */
	public long purge(String queue, JobPlace place) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		Assert.isTrue(place != JobPlace.WORKING, "Jobs that run cannot be deleted; cancel them");
		List<String> parts = this.store.parts(queue);
		Assert.isTrue(!parts.isEmpty(), () -> "No queue is called '" + queue + "'");
		long deleted = 0;
		try {
			for (String part : parts) {
				long[] step = this.store.purge(part, place.part());
				deleted += step[0];
				// Jobs that arrive during the loop do not prolong it.
				for (long left = step[1]; left > 0 && step[1] > 0; left -= AdminStore.PURGED_AT_ONCE) {
					step = this.store.purge(part, place.part());
					deleted += step[0];
				}
			}
		}
		finally {
			reportPurge(queue, place, deleted);
		}
		return deleted;
	}

	private void reportPurge(String queue, JobPlace place, long deleted) {
		String message = "Jobs of queue %s in '%s' were deleted: %d".formatted(queue, place.part().text(), deleted);
		if (deleted > 0) {
			this.activity.changed(
					OperatorChange.of("purge", message, "queue", queue, "place", place.part().text()).count(deleted));
		}
		else {
			logger.info("{}", message);
		}
	}

}
