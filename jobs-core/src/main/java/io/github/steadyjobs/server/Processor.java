package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.UnitOfWork.Surroundings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs a unit of work and settles how it ended. Thread safe: all workers of a capsule
 * share one.
 */
final class Processor {

	private static final Logger logger = LoggerFactory.getLogger(Processor.class);

	private final JobExecution execution;

	private final Surroundings surroundings;

	private final JobRetry retry;

	private final Settlements settlements;

	private final Parking parking;

	private final ServerChain chain;

	private final JobListener[] listeners;

	Processor(JobExecution execution, Surroundings surroundings, JobRetry retry, Settlements settlements,
			Parking parking) {
		this.execution = execution;
		this.surroundings = surroundings;
		this.retry = retry;
		this.settlements = settlements;
		this.parking = parking;
		this.chain = new ServerChain(execution.interceptors(), execution.sources());
		this.listeners = execution.listeners().toArray(JobListener[]::new);
	}

	void process(UnitOfWork work) {
		Outcome outcome = run(work);
		if (!work.isGivenBack()) {
			outcome.settle(work, this.settlements);
		}
	}

	/**
	 * Bury a job that must not run twice and still runs while the process stops.
	 */
	void buryCutShort(UnitOfWork work) {
		cutShort(work).settle(work, this.settlements);
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
	 */
	Outcome run(UnitOfWork job) {
		if (job.isCancelled()) {
			return Outcome.Ended.SKIPPED;
		}
		try {
			JobPayload payload = this.execution.codec().read(job.stored());
			job.read(payload, this.retry.maxAttempts(payload), this.surroundings);
			JobDefinition definition = this.execution.registry().find(job.name());
			return (definition != null) ? run(job, definition) : this.parking.unknown(job);
		}
		catch (InvalidJobException ex) {
			return unreadable(job, ex);
		}
	}

	private static Outcome unreadable(UnitOfWork job, InvalidJobException problem) {
		logger.error("Job {} is dead, because nobody can read it: {}", job, problem.getMessage());
		return new Outcome.Dead(null, new Failure(null, problem, Failure.Kind.ATTEMPT));
	}

	private Outcome run(UnitOfWork job, JobDefinition definition) {
		ServerInterceptor.Chain call;
		try {
			call = bind(job, definition);
		}
		catch (InvalidJobException ex) {
			return this.parking.unbound(job, definition, ex);
		}
		notifyStarted(job);
		long start = System.nanoTime();
		Outcome outcome = run(job, call);
		notifyEnded(job, outcome.kind(), Duration.ofNanos(System.nanoTime() - start));
		return outcome;
	}

	private static ServerInterceptor.Chain bind(UnitOfWork job, JobDefinition definition) {
		try {
			@Nullable Object[] values = definition.bind(job.payload(), job);
			return () -> definition.call(values);
		}
		catch (Error ex) {
			// Such as a class that fails to link: a failure of the job like any other.
			return () -> {
				throw ex;
			};
		}
	}

	private Outcome run(UnitOfWork job, ServerInterceptor.Chain call) {
		ServerChain.Run run = this.chain.run(job, call);
		try {
			return run.startOnceConsistent();
		}
		catch (Throwable ex) {
			// Errors too: a job that fails to link must not end the worker.
			return wasCutShort(job, ex) ? cutShort(job) : failed(job, ex, run.logContext());
		}
	}

	/**
	 * Decide whether a run did not fail but was kept from ending: by an interrupt,
	 * however the job reports it, or because what it uses has stopped before it.
	 */
	private static boolean wasCutShort(UnitOfWork job, Throwable failure) {
		return job.isGivenBack() || job.isLost()
				|| (job.isStopping() && (isCausedBy(failure, InterruptedException.class)
						|| isCausedBy(failure, RejectedExecutionException.class)));
	}

	private Outcome failed(UnitOfWork job, Throwable failure, @Nullable Map<String, String> logContext) {
		Outcome outcome = decide(job, failure);
		Map<String, String> present = MDC.getCopyOfContextMap();
		try {
			if (logContext != null) {
				MDC.setContextMap(logContext);
			}
			log(job, failure, outcome);
		}
		catch (Throwable ex) {
			// Loggers ask exceptions for their messages, which may throw in turn.
			logger.error("Job {} failed with a {} that cannot be logged", job, failure.getClass().getName());
		}
		finally {
			MDC.setContextMap((present != null) ? present : Map.of());
		}
		return outcome;
	}

	private Outcome decide(UnitOfWork job, Throwable failure) {
		try {
			return this.retry.decide(job.payload(), failure);
		}
		catch (InvalidJobException ex) {
			// Arguments that the job did not ask for are looked into only now.
			return unreadable(job, ex);
		}
	}

	private static void log(UnitOfWork job, Throwable failure, Outcome outcome) {
		if (outcome instanceof Outcome.Retry retry) {
			logger.warn("Job {} failed in attempt {} of {} and runs again in {} s", job, job.attempt(),
					job.maxAttempts(), retry.delay().toSeconds(), failure);
		}
		else if (outcome instanceof Outcome.Discarded discarded && discarded.failure().kind() == Failure.Kind.ATTEMPT) {
			logger.info("Job {} failed in attempt {} and is discarded, as it was asked for", job, job.attempt(),
					failure);
		}
		else {
			logger.error("Job {} failed in attempt {} of {} and is {}", job, job.attempt(), job.maxAttempts(),
					outcome.kind().name().toLowerCase(Locale.ROOT), failure);
		}
	}

	private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		try {
			for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
				if (type.isInstance(cause)) {
					return true;
				}
			}
		}
		catch (Throwable ex) {
			// An exception that throws when asked for its cause is a failure of its own.
		}
		return false;
	}

	/**
	 * Return how long a job was ready until now: by the clocks of producer and Redis up
	 * to the claim, and by that of this process since it has the job.
	 */
	private static Duration waited(UnitOfWork job) {
		Instant due = job.payload().at();
		long ready = (due != null) ? due.toEpochMilli() : job.payload().enqueuedAt().toEpochMilli();
		long claimed = job.claimedAt();
		// Who wrote the job may not have said when.
		long waited = (ready > 0) ? Math.max(0, claimed - ready) : 0;
		return Duration.ofMillis(waited).plusNanos(System.nanoTime() - job.arrivedAt());
	}

	private void notifyStarted(UnitOfWork job) {
		if (this.listeners.length > 0) {
			Duration waited = waited(job);
			for (JobListener listener : this.listeners) {
				try {
					listener.started(job, waited);
				}
				catch (Throwable ex) {
					failed(listener, ex);
				}
			}
		}
	}

	private void notifyEnded(UnitOfWork job, JobOutcome outcome, Duration ran) {
		for (JobListener listener : this.listeners) {
			try {
				listener.ended(job, outcome, ran);
			}
			catch (Throwable ex) {
				failed(listener, ex);
			}
		}
	}

	/**
	 * Errors too: the job would not be settled, and stay with this process.
	 */
	private static void failed(JobListener listener, Throwable failure) {
		logger.warn("Listener {} failed", listener.getClass().getName(), failure);
	}

}
