package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobTimeoutException;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.ordered.Forms;
import io.github.steadyjobs.server.Outcome.Failed;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.UnitOfWork.Reading;
import io.github.steadyjobs.server.UnitOfWork.Surroundings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs units of work and settles their outcomes. All workers of a capsule share one
 * processor. Thread safe.
 */
final class Processor {

	private static final Logger logger = LoggerFactory.getLogger(Processor.class);

	private static final List<Class<? extends Exception>> STOPPED = List.of(InterruptedException.class,
			RejectedExecutionException.class);

	private static final List<Class<JobTimeoutException>> TIMED_OUT = List.of(JobTimeoutException.class);

	/**
	 * How long an abandoned job is put off, so that an error in this library does not
	 * cause a busy loop. About as long as the default delay before a first retry.
	 */
	private static final Duration ABANDONED_FOR = Duration.ofSeconds(15);

	private final JobExecution execution;

	private final Surroundings surroundings;

	private final Gates gates;

	private final JobRetry retry;

	private final Settler settler;

	private final RunWatch watch;

	private final Parking parking;

	private final ServerChain chain;

	private final RunListeners listeners;

	Processor(JobExecution execution, Surroundings surroundings, JobRetry retry, Settler settler, Gates gates,
			RunWatch watch) {
		this.execution = execution;
		this.gates = gates;
		this.surroundings = surroundings;
		this.retry = retry;
		this.settler = settler;
		this.watch = watch;
		this.parking = new Parking(execution);
		this.chain = new ServerChain(execution.interceptors(), execution.sources());
		this.listeners = new RunListeners(execution.listeners());
	}

	/** Run a job, or several jobs in one call if their method takes them together. */
	void process(List<UnitOfWork> jobs) {
		try {
			run(jobs);
			this.settler.settle(jobs);
		}
		catch (Throwable ex) {
			jobs.forEach((job) -> abandon(job, ex));
			throw ex;
		}
	}

	/**
	 * Give up a job whose run could not be completed, so that the job does not stay with
	 * this process. If another outcome is already being sent, only the outcome that
	 * arrives first takes effect.
	 */
	private void abandon(UnitOfWork job, Throwable failure) {
		try {
			if (!job.isGivenBack()) {
				this.settler.move(job, job.token().isOnce() ? cutShort(job) : new Outcome.PutOff(ABANDONED_FOR));
			}
		}
		catch (Throwable ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Settle a job as dead, because it must not run twice and is still running although
	 * the process is stopping. The end of the run then settles nothing.
	 */
	void buryCutShort(UnitOfWork work) {
		this.settler.move(work, cutShort(work));
	}

	/**
	 * Put jobs of one queue back at the head of the queue, in order, no matter which
	 * capsule runs the jobs. The ends of the runs then settle nothing.
	 */
	void release(List<UnitOfWork> works) {
		this.settler.release(works, true);
	}

	private Outcome cutShort(UnitOfWork work) {
		return work.token().isOnce() ? this.retry.dead(work.token(), work.stored(),
				this.retry.mayHaveRun(work.token().process(), "was stopped"), work.ran()) : Outcome.RELEASED;
	}

	/** Run jobs. Afterwards each job has an outcome, whatever the jobs did or threw. */
	void run(List<UnitOfWork> jobs) {
		List<UnitOfWork> ready = new ArrayList<>(jobs.size());
		for (UnitOfWork job : jobs) {
			Outcome refused = refuse(job);
			if (refused != null) {
				job.ended(refused);
				if (job.isRead()) {
					this.gates.notBegun(job);
				}
			}
			else if (ready.isEmpty() || goesWith(job, ready)) {
				ready.add(job);
			}
			else {
				// The job goes back, because it cannot share the call. The batch size of
				// the queue was chosen for another method.
				this.gates.ended(job, JobOutcome.RELEASED);
				job.ended(Outcome.RELEASED);
			}
		}
		try {
			if (!ready.isEmpty()) {
				runTogether(ready);
			}
		}
		finally {
			ready.forEach((job) -> this.gates.ended(job, kind(job.outcome())));
		}
	}

	private static JobOutcome kind(@Nullable Outcome outcome) {
		return (outcome != null) ? outcome.kind() : JobOutcome.RELEASED;
	}

	private static boolean goesWith(UnitOfWork job, List<UnitOfWork> others) {
		UnitOfWork first = others.get(0);
		JobDefinition definition = first.definition();
		if (definition == null || job.definition() != definition
				|| others.size() >= first.form().mostTogether(definition)) {
			return false;
		}
		// Under a former name of the job, a key has another job. A call takes one job of
		// a key.
		for (UnitOfWork other : others) {
			if (Objects.equals(other.payload().key(), job.payload().key())) {
				return false;
			}
		}
		return true;
	}

	/** Return the outcome of a job that must not begin; {@code null} if it may begin. */
	private @Nullable Outcome refuse(UnitOfWork job) {
		if (job.isCancelled()) {
			return Outcome.SKIPPED;
		}
		try {
			read(job);
			Outcome refused = expired(job);
			refused = (refused != null) ? refused : this.parking.unknown(job);
			return (refused != null) ? refused : this.gates.hold(job);
		}
		catch (InvalidJobException ex) {
			return unreadable(job, ex);
		}
	}

	/** Read the stored payload. */
	private void read(UnitOfWork job) {
		Form form = Forms.read(this.execution.codec(), job.token().queue(), job.stored());
		JobDefinition definition = this.execution.registry().find(form.job().name());
		RetryRules rules = (definition != null) ? definition.retry() : RetryRules.DEFAULT;
		job.read(new Reading(form, this.retry.maxAttempts(form.job(), rules), definition, this.surroundings));
	}

	private @Nullable Outcome expired(UnitOfWork job) {
		if (!job.isExpired()) {
			return null;
		}
		logger.info("Job {} is not begun, because it has expired at {}", job, job.payload().limits().expiresAt());
		Outcome outcome = Outcome.EXPIRED;
		if (job.definition() != null) {
			// Call listeners only for known jobs: payloads can contain any name, and
			// listeners keep data for each name.
			this.listeners.started(job);
			this.listeners.ended(job, outcome.kind(), Duration.ZERO);
		}
		return outcome;
	}

	private Outcome unreadable(UnitOfWork job, InvalidJobException problem) {
		logger.error("Job {} is dead, because its payload cannot be read: {}", job, problem.getMessage());
		return this.retry.dead(job.token(), job.stored(), new Failure(null, problem, Failure.Kind.ATTEMPT));
	}

	private void runTogether(List<UnitOfWork> jobs) {
		Form.Call call;
		try {
			call = bind(jobs);
		}
		catch (InvalidJobException ex) {
			List<UnitOfWork> fitting = jobs.stream().filter(this::fits).toList();
			if (!fitting.isEmpty()) {
				runTogether(fitting);
			}
			return;
		}
		UnitOfWork first = jobs.get(0);
		this.listeners.started(first);
		long start = System.nanoTime();
		jobs.forEach((job) -> job.started(start));
		call(jobs, call);
		Outcome outcome = Objects.requireNonNull(first.outcome());
		this.listeners.ended(first, outcome.kind(), Duration.ofNanos(System.nanoTime() - start));
		this.gates.ran(first, outcome);
	}

	private boolean fits(UnitOfWork job) {
		try {
			bind(List.of(job));
			return true;
		}
		catch (InvalidJobException ex) {
			job.ended(unbound(job, ex));
			this.gates.notBegun(job);
			return false;
		}
	}

	private Form.Call bind(List<UnitOfWork> jobs) {
		UnitOfWork first = jobs.get(0);
		JobDefinition definition = Objects.requireNonNull(first.definition());
		try {
			return first.form().bind(jobs, definition, this.watch.timeouts().limit(first, definition));
		}
		catch (Error ex) {
			// For example, a class cannot be linked. This is a failure of the job like
			// any other.
			return () -> {
				throw ex;
			};
		}
	}

	/** Return the outcome of a job with arguments that do not fit or are not JSON. */
	private Outcome unbound(UnitOfWork job, InvalidJobException problem) {
		try {
			Failed rid = this.retry.withoutUnreadable(job);
			if (rid == null) {
				return this.parking.unbound(job, problem);
			}
			logger.error("A payload of job {} is dead, because it cannot be read: {}", job,
					rid.failure().cause().getMessage());
			return rid;
		}
		catch (InvalidJobException ex) {
			return unreadable(job, ex);
		}
	}

	private void call(List<UnitOfWork> jobs, Form.Call call) {
		UnitOfWork first = jobs.get(0);
		ServerChain.Run run = this.chain.run(first, this.watch.watched(first, call));
		try {
			Outcome outcome = run.startOnceConsistent();
			Throwable brokenOff = call.brokenOff();
			if (brokenOff != null) {
				throw brokenOff;
			}
			InvalidJobException misfit = (outcome == Outcome.DONE) ? call.misfit() : null;
			Outcome ended = (misfit != null) ? unbound(first, misfit) : outcome;
			jobs.forEach((job) -> job.ended(ended));
		}
		catch (Throwable ex) {
			// Errors are caught too, because a job that fails to link must not end the
			// worker.
			if (wasCutShort(first, ex)) {
				jobs.forEach((job) -> job.ended(cutShort(job)));
				return;
			}
			Duration putOff = this.gates.putsOff(first, ex);
			if (putOff != null) {
				jobs.forEach((job) -> job.ended(new Outcome.PutOff(putOff)));
				return;
			}
			jobs.forEach((job) -> job.ended(decide(job, ex)));
			FailureLog.log(first, ex, Objects.requireNonNull(first.outcome()), run.logContext());
		}
	}

	/**
	 * Return whether a run was cut short, which is not a failure. The cause can be an
	 * interrupt, however the job reports it, or a stop of beans that the job uses. A
	 * timeout of the job also interrupts the run, but counts as a failure.
	 */
	private static boolean wasCutShort(UnitOfWork job, Throwable failure) {
		return job.isGivenBack() || job.isLost() || (job.isStopping() && FailureTypes.isCausedBy(failure, STOPPED)
				&& !FailureTypes.isCausedBy(failure, TIMED_OUT));
	}

	private Outcome decide(UnitOfWork job, Throwable failure) {
		if (job.isRunCancelled()) {
			return Outcome.CANCELLED;
		}
		try {
			return (failure instanceof SnoozeJobException snooze) ? this.retry.snoozed(job, snooze.delay())
					: this.retry.decide(job, failure);
		}
		catch (InvalidJobException ex) {
			// Arguments that nothing has read before are checked only here.
			return unreadable(job, ex);
		}
	}

}
