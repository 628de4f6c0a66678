package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

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

	Processor(JobExecution execution, Surroundings surroundings, JobRetry retry, Settlements settlements,
			Parking parking) {
		this.execution = execution;
		this.surroundings = surroundings;
		this.retry = retry;
		this.settlements = settlements;
		this.parking = parking;
		this.chain = new ServerChain(execution.interceptors(), execution.sources());
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
			return new Outcome.Ended(JobOutcome.SKIPPED);
		}
		try {
			JobPayload payload = this.execution.codec().read(job.stored());
			job.read(payload, this.retry.maxAttempts(payload), this.surroundings);
		}
		catch (InvalidJobException ex) {
			logger.error("Job {} is dead, because nobody can read it: {}", job, ex.getMessage());
			return new Outcome.Dead(null, new Failure(null, ex, Failure.Kind.ATTEMPT));
		}
		Optional<JobDefinition> definition = this.execution.registry().find(job.name());
		if (definition.isEmpty()) {
			return this.parking.unknown(job);
		}
		ServerInterceptor.Chain call;
		try {
			call = bind(job, definition.get());
		}
		catch (InvalidJobException ex) {
			return this.parking.unbound(job, definition.get(), ex);
		}
		notify((listener) -> listener.started(job, waited(job)));
		long start = System.nanoTime();
		Outcome outcome = run(job, call);
		Duration ran = Duration.ofNanos(System.nanoTime() - start);
		notify((listener) -> listener.ended(job, outcome.kind(), ran));
		return outcome;
	}

	private static ServerInterceptor.Chain bind(UnitOfWork job, JobDefinition definition) {
		try {
			@Nullable Object[] values = definition.bind(job.payload().arguments(), job);
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
		Outcome outcome = this.retry.decide(job.payload(), failure);
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
		JobPayload payload = job.payload();
		long ready = payload.field("at").asLong(payload.field("enqueued_at").asLong(job.claimedAt()));
		return Duration.ofMillis(Math.max(0, job.claimedAt() - ready)).plusNanos(System.nanoTime() - job.arrivedAt());
	}

	private void notify(Consumer<JobListener> event) {
		List<JobListener> listeners = this.execution.listeners();
		for (int i = 0; i < listeners.size(); i++) {
			try {
				event.accept(listeners.get(i));
			}
			catch (Throwable ex) {
				// Errors too: the job would not be settled, and stay with this process.
				logger.warn("Listener {} failed", listeners.get(i).getClass().getName(), ex);
			}
		}
	}

}
