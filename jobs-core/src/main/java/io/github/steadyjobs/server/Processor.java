package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.server.RunningJob.Surroundings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a unit of work and settles how it ended. Thread safe: all workers of a capsule
 * share one.
 */
final class Processor {

	static final String UNKNOWN = "unknown:";

	private static final Logger logger = LoggerFactory.getLogger(Processor.class);

	private final JobExecution execution;

	private final Surroundings surroundings;

	private final JobRetry retry;

	private final Settler settler;

	private final ServerChain chain;

	private final ConsistencyGate gate;

	private final Set<String> unknownNames = ConcurrentHashMap.newKeySet();

	Processor(JobExecution execution, Surroundings surroundings, JobRetry retry, Settler settler) {
		this.execution = execution;
		this.surroundings = surroundings;
		this.retry = retry;
		this.settler = settler;
		this.chain = new ServerChain(execution.interceptors());
		this.gate = new ConsistencyGate(execution.sources());
	}

	void process(UnitOfWork work) {
		Outcome outcome = run(work);
		if (!work.isGivenBack()) {
			outcome.settle(work, this.settler);
		}
	}

	/**
	 * Run the job. Whatever it does and throws, this returns what becomes of it.
	 */
	Outcome run(UnitOfWork work) {
		JobPayload payload;
		try {
			payload = this.execution.codec().read(work.payload());
			work.read(payload);
		}
		catch (InvalidJobException ex) {
			logger.error("Job {} is dead, as nobody can read it: {}", work, ex.getMessage());
			return new Outcome.Dead(null, new Failure(null, ex, Failure.Kind.ATTEMPT));
		}
		RunningJob job = new RunningJob(work, payload, this.surroundings, this.retry.maxAttempts(payload));
		Optional<JobDefinition> definition = this.execution.registry().find(payload.name());
		if (definition.isEmpty()) {
			return park(job);
		}
		notify((listener) -> listener.started(job, waited(work, payload)));
		long start = System.nanoTime();
		Outcome outcome = run(job, definition.get());
		Duration ran = Duration.ofNanos(System.nanoTime() - start);
		notify((listener) -> listener.ended(job, outcome.kind(), ran));
		return outcome;
	}

	private Outcome run(RunningJob job, JobDefinition definition) {
		try {
			return this.gate.pass(job.consistency(), () -> {
				boolean proceeded = this.chain.run(job, () -> definition.invoke(job.payload().arguments(), job));
				return new Outcome.Ended(proceeded ? JobOutcome.DONE : JobOutcome.SKIPPED);
			});
		}
		catch (Throwable ex) {
			// Errors too: a job that fails to link must not end the worker.
			return ((job.isStopping() || job.isLost()) && isInterruption(ex)) ? new Outcome.Released()
					: failed(job, ex);
		}
	}

	private Outcome failed(RunningJob job, Throwable failure) {
		Outcome outcome = this.retry.decide(job.payload(), failure);
		try {
			log(job, failure, outcome);
		}
		catch (Throwable ex) {
			// Loggers ask exceptions for their messages, which may throw in turn.
			logger.error("Job {} failed with a {} that cannot be logged", job, failure.getClass().getName());
		}
		return outcome;
	}

	private static void log(RunningJob job, Throwable failure, Outcome outcome) {
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

	private Outcome park(RunningJob job) {
		if (this.unknownNames.add(job.name())) {
			logger.warn("Job {} is parked until a process with such a job looks for it: no bean here has a @Job "
					+ "named '{}'. Others of that name will be parked without further notice", job, job.name());
		}
		return new Outcome.Parked(UNKNOWN + job.name());
	}

	private static boolean isInterruption(Throwable failure) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		try {
			for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
				if (cause instanceof InterruptedException) {
					return true;
				}
			}
		}
		catch (Throwable ex) {
			// Whoever throws when asked for its cause is no interruption.
		}
		return false;
	}

	private static Duration waited(UnitOfWork work, JobPayload payload) {
		long ready = payload.field("at").asLong(payload.field("enqueued_at").asLong(work.claimedAt()));
		return Duration.ofMillis(Math.max(0, work.claimedAt() - ready));
	}

	private void notify(Consumer<JobListener> event) {
		List<JobListener> listeners = this.execution.handlers().listeners();
		for (int i = 0; i < listeners.size(); i++) {
			try {
				event.accept(listeners.get(i));
			}
			catch (Throwable ex) {
				// Errors too: the job would not be settled, and would stay with this
				// process.
				logger.warn("Listener {} failed", listeners.get(i).getClass().getName(), ex);
			}
		}
	}

}
