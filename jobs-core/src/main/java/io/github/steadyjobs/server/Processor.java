package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobTimeoutException;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.UnitOfWork.Reading;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a unit of work and settles how it ended. Thread safe: all workers of a capsule
 * share one.
 */
final class Processor {

	private static final Logger logger = LoggerFactory.getLogger(Processor.class);

	private static final List<Class<? extends Exception>> STOPPED = List.of(InterruptedException.class,
			RejectedExecutionException.class);

	private static final List<Class<JobTimeoutException>> TIMED_OUT = List.of(JobTimeoutException.class);

	/** As long as the first retry takes, so that an error of ours is no busy loop. */
	private static final Duration ABANDONED_FOR = Duration.ofSeconds(15);

	private final JobExecution execution;

	private final Surroundings surroundings;

	private final JobRetry retry;

	private final Settlements settlements;

	private final Parking parking;

	private final RunWatch watch;

	private final Breaker breaker;

	private final ServerChain chain;

	private final RunListeners listeners;

	Processor(JobExecution execution, Surroundings surroundings, JobRetry retry, Settlements settlements,
			Parking parking, Breaker breaker) {
		this.execution = execution;
		this.surroundings = surroundings;
		this.retry = retry;
		this.settlements = settlements;
		this.parking = parking;
		this.watch = surroundings.watch();
		this.breaker = breaker;
		this.chain = new ServerChain(execution.interceptors(), execution.sources());
		this.listeners = new RunListeners(execution.listeners());
	}

	void process(UnitOfWork work) {
		try {
			runAndSettle(work);
		}
		catch (Throwable ex) {
			abandon(work, ex);
			throw ex;
		}
	}

	/**
	 * Give up a job whose run could not be brought to an end, so that it does not stay
	 * with this process. If an outcome was on its way already, one of the two calls finds
	 * that the token no longer counts.
	 */
	private void abandon(UnitOfWork work, Throwable failure) {
		try {
			for (UnitOfWork each : work.isGivenBack() ? List.<UnitOfWork>of() : work.all()) {
				this.settlements.settle(each,
						each.token().isOnce() ? cutShort(each) : new Outcome.PutOff(ABANDONED_FOR));
			}
		}
		catch (Throwable ex) {
			failure.addSuppressed(ex);
		}
	}

	private void runAndSettle(UnitOfWork work) {
		Outcome outcome = run(work);
		if (outcome == null) {
			work.apart().forEach((each) -> processApart(each, work));
		}
		else if (!work.isGivenBack()) {
			this.settlements.settle(work, outcome);
		}
	}

	private void processApart(UnitOfWork work, UnitOfWork batch) {
		if (batch.isCutShort()) {
			this.settlements.settle(work, new Outcome.Released());
		}
		else if (this.surroundings.current().test(work.token())) {
			process(work);
		}
		// Otherwise others run it by now.
	}

	/**
	 * Bury a job that must not run twice and still runs while the process stops.
	 */
	void buryCutShort(UnitOfWork work) {
		this.settlements.settle(work, cutShort(work));
	}

	/**
	 * Put jobs of one queue back to its head, the first one in front.
	 */
	void release(List<UnitOfWork> works) {
		this.settlements.release(works, true);
	}

	private Outcome cutShort(UnitOfWork work) {
		return work.token().isOnce()
				? this.retry.dead(work.stored(), this.retry.mayHaveRun(work.token().process(), "was stopped"))
				: new Outcome.Released();
	}

	/**
	 * Run the job. Whatever it does and throws, this returns the outcome.
	 * @return the outcome, {@code null} if one of a batch cannot run, so that each of
	 * them has to run by itself
	 */
	@Nullable Outcome run(UnitOfWork job) {
		if (!job.others().isEmpty()) {
			return runTogether(job);
		}
		if (job.isCancelled()) {
			return Outcome.Ended.SKIPPED;
		}
		try {
			JobDefinition definition = read(job);
			if (job.isExpired()) {
				return expired(job, definition);
			}
			if (definition == null) {
				return this.parking.unknown(job);
			}
			Outcome held = this.breaker.hold(job, definition);
			return (held != null) ? held : run(job, definition);
		}
		catch (InvalidJobException ex) {
			return unreadable(job, ex);
		}
	}

	private @Nullable Outcome runTogether(UnitOfWork batch) {
		ServerInterceptor.Chain call;
		try {
			List<UnitOfWork> jobs = batch.all();
			if (jobs.stream().anyMatch(UnitOfWork::isCancelled)) {
				return null;
			}
			JobDefinition definition = read(batch);
			if (definition == null || this.breaker.hold(batch, definition) != null
					|| !jobs.stream().allMatch((job) -> read(job) == definition)) {
				return null;
			}
			call = bind(batch, definition);
		}
		catch (InvalidJobException ex) {
			return null;
		}
		return observed(batch, () -> run(batch, call));
	}

	/**
	 * Read what is stored.
	 * @return which job it is, or {@code null} if no bean here has that
	 */
	private @Nullable JobDefinition read(UnitOfWork job) {
		boolean isOrdered = job.token().isOrdered();
		OrderedPayloads payloads = isOrdered ? new OrderedPayloads(this.execution.codec(), job.stored()) : null;
		JobPayload payload = (payloads != null) ? payloads.job() : this.execution.codec().read(job.stored());
		JobDefinition definition = this.execution.registry().find(payload.name());
		RetryRules rules = (definition != null) ? definition.retry() : RetryRules.DEFAULT;
		job.read(new Reading(payload, payloads, this.retry.maxAttempts(payload, rules), rules, this.surroundings));
		return definition;
	}

	private Outcome expired(UnitOfWork job, @Nullable JobDefinition definition) {
		logger.info("Job {} is not begun, because it has expired at {}", job, job.payload().limits().expiresAt());
		Outcome outcome = new Outcome.Expired();
		if (definition != null) {
			// Anybody may store any name, and listeners keep something for each.
			this.listeners.started(job);
			this.listeners.ended(job, outcome.kind(), Duration.ZERO);
		}
		return outcome;
	}

	private Outcome unreadable(UnitOfWork job, InvalidJobException problem) {
		logger.error("Job {} is dead, because nobody can read it: {}", job, problem.getMessage());
		return this.retry.dead(job.token(), job.stored(), new Failure(null, problem, Failure.Kind.ATTEMPT));
	}

	private Outcome run(UnitOfWork job, JobDefinition definition) {
		ServerInterceptor.Chain call;
		try {
			call = bind(job, definition);
		}
		catch (InvalidJobException ex) {
			return unbound(job, definition, ex);
		}
		return observed(job, () -> {
			Outcome outcome = run(job, call);
			InvalidJobException misfit = (call instanceof OrderedCall ordered && outcome == Outcome.Ended.DONE)
					? ordered.misfit() : null;
			return (misfit != null) ? unbound(job, definition, misfit) : outcome;
		});
	}

	private Outcome observed(UnitOfWork job, Supplier<Outcome> run) {
		this.listeners.started(job);
		long start = System.nanoTime();
		Outcome outcome = run.get();
		this.listeners.ended(job, outcome.kind(), Duration.ofNanos(System.nanoTime() - start));
		this.breaker.ended(job, outcome);
		return outcome;
	}

	private ServerInterceptor.Chain bind(UnitOfWork job, JobDefinition definition) {
		try {
			Sequence sequence = definition.sequence();
			Timeouts.Call call = this.surroundings.timeouts().limit(job, definition);
			if (job.token().isOrdered() != (sequence != null)) {
				throw new InvalidJobException("Job '%s' was enqueued %s a key, and the method here is %s @Sequential"
					.formatted(job.name(), (sequence != null) ? "without" : "for", (sequence != null) ? "a" : "no"));
			}
			if (sequence != null) {
				return OrderedCall.bind(job, definition, sequence, call, this.settlements);
			}
			@Nullable Object[] values = definition.bind(job.payload(), job);
			return () -> call.proceed(values);
		}
		catch (Error ex) {
			// Such as a class that fails to link: a failure of the job like any other.
			return () -> {
				throw ex;
			};
		}
	}

	/**
	 * Decide about a job with arguments that the method does not take. Of an ordered job
	 * a payload that is no JSON at all is dead, and the others go on.
	 */
	private Outcome unbound(UnitOfWork job, JobDefinition definition, InvalidJobException problem) {
		if (job.token().isOrdered()) {
			OrderedPayloads payloads = job.gathered();
			for (int index = 0; index < payloads.size(); index++) {
				try {
					payloads.get(index).arguments();
				}
				catch (InvalidJobException ex) {
					logger.error("A payload of job {} is dead, because nobody can read it: {}", job, ex.getMessage());
					return this.retry.unreadable(payloads, index, ex);
				}
			}
		}
		return this.parking.unbound(job, definition, problem);
	}

	private Outcome run(UnitOfWork job, ServerInterceptor.Chain call) {
		ServerChain.Run run = this.chain.run(job, this.watch.watched(job, call));
		try {
			Outcome outcome = run.startOnceConsistent();
			Throwable brokenOff = (call instanceof OrderedCall ordered) ? ordered.brokenOff() : null;
			if (brokenOff != null) {
				throw brokenOff;
			}
			return outcome;
		}
		catch (Throwable ex) {
			// Errors too: a job that fails to link must not end the worker.
			if (wasCutShort(job, ex)) {
				return cutShort(job);
			}
			if (ex instanceof PauseQueueException wish) {
				return this.breaker.pause(job, wish);
			}
			Outcome outcome = decide(job, ex);
			FailureLog.log(job, ex, outcome, run.logContext());
			return outcome;
		}
	}

	/**
	 * Decide whether a run did not fail but was kept from ending: by an interrupt,
	 * however the job reports it, or because what it uses has stopped before it. Its own
	 * timeout interrupts a run as well, and is a failure.
	 */
	private static boolean wasCutShort(UnitOfWork job, Throwable failure) {
		return job.isGivenBack() || job.isLost() || (job.isStopping() && FailureTypes.isCausedBy(failure, STOPPED)
				&& !FailureTypes.isCausedBy(failure, TIMED_OUT));
	}

	private Outcome decide(UnitOfWork job, Throwable failure) {
		if (job.isRunCancelled()) {
			return Outcome.Released.CANCELLED;
		}
		try {
			return (failure instanceof SnoozeJobException snooze) ? this.retry.snoozed(job, snooze.delay())
					: this.retry.decide(job, failure);
		}
		catch (InvalidJobException ex) {
			// Arguments that the job did not ask for are looked into only now.
			return unreadable(job, ex);
		}
	}

	/**
	 * What all runs of a capsule have in common.
	 *
	 * @param capsule the name of the capsule
	 * @param codec reads arguments
	 * @param current tells whether a claim still counts
	 * @param stopping tells whether the process is shutting down
	 * @param timeouts interrupts runs that take too long
	 * @param watch logs and watches runs
	 */
	record Surroundings(String capsule, PayloadCodec codec, Predicate<JobToken> current, BooleanSupplier stopping,
			Timeouts timeouts, RunWatch watch) {

	}

}
