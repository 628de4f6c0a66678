package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.UnitOfWork.Surroundings;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Runs single jobs as a worker does, on the thread of the caller and without Redis: for
 * tests of applications. A run goes through the same {@link Processor}, so everything
 * from the stored payload to the decision about a retry is the same. Thread safe.
 */
public final class JobRunner implements AutoCloseable {

	private final JobExecution execution;

	private final JobRetry retry;

	private final Clock clock;

	private final Hooks hooks;

	private final WorkerEvents events = new WorkerEvents(List.of(), (event) -> {
	});

	private final BackgroundThread timer;

	/**
	 * Create a runner. No thread is started before a job with a timeout runs.
	 * @param execution everything needed to run a job; its gates are ignored
	 * @param clock provides the time of claims and failures
	 */
	public JobRunner(JobExecution execution, Failures failures, Clock clock) {
		this.execution = execution;
		this.retry = new JobRetry(execution.retryDelay(), execution.codec(), clock, failures.retries(),
				failures.backtraceLines());
		this.clock = clock;
		this.hooks = new Hooks(execution, Thread::new);
		this.timer = new BackgroundThread("jobs-timeouts", true, this.hooks::failed);
	}

	/**
	 * Run a stored job once. Failures of the job are not thrown but are part of the
	 * result.
	 * @param settle applies the result; called before the failure hooks
	 */
	public void run(Claimed job, Consumer<Ran> settle) {
		ClaimedJob claimed = new ClaimedJob(new JobToken(job.queue(), "test", job.id(), "test/1"), job.payload(),
				job.positions(), this.clock.millis(), job.fencingToken());
		Surroundings surroundings = new Surroundings("test", this.execution.codec(), (token) -> true, () -> false,
				(work, left, envelope, done) -> {
					done.run();
					return true;
				});
		RunWatch watch = new RunWatch(Oversight.NONE, this.events, new Timeouts(this.timer));
		Processor processor = new Processor(this.execution, surroundings, this.retry, new Here(settle),
				new Gates(List.of(new NoPauses())), watch);
		// Interceptors clear the log context, which is otherwise empty on a worker's
		// thread.
		Map<String, String> logContext = MDC.getCopyOfContextMap();
		long now = System.nanoTime();
		try {
			processor.process(List.of(new UnitOfWork(claimed, now, now)));
		}
		finally {
			MDC.setContextMap((logContext != null) ? logContext : Map.of());
		}
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		this.hooks.stop();
		this.events.close();
	}

	/**
	 * A job that is about to run.
	 *
	 * @param queue the queue or, if the job is ordered, a part of it
	 * @param payload the payload as it is stored
	 * @param positions how recent the data seen by the run must be, in the format of
	 * {@link NewJob}
	 * @param fencingToken a number that increases with each run of the same job
	 */
	public record Claimed(String queue, String id, byte[] payload, String positions, long fencingToken) {

	}

	/**
	 * The result of a run.
	 *
	 * @param payload what is stored from now on, {@code null} if it has not changed
	 * @param delay the time until the job runs again, {@code null} if it does not
	 * @param queue the queue in which it runs again, {@code null} for the same queue
	 * @param dead the job to keep as dead, {@code null} if there is none
	 * @param failure what was thrown, or why the job is dead; {@code null} if nothing was
	 * thrown and the job is not dead
	 * @param failed whether the job has failed; {@code false} if it was discarded on
	 * request, although something was thrown
	 */
	public record Ran(JobOutcome outcome, byte @Nullable [] payload, @Nullable Duration delay, @Nullable String queue,
			@Nullable NewJob dead, @Nullable Throwable failure, boolean failed) {

		private static Ran of(UnitOfWork work, Outcome outcome) {
			Failure told = outcome.failure();
			Throwable failure = (told != null) ? told.cause() : null;
			JobOutcome kind = outcome.kind();
			boolean failed = outcome.hasFailed();
			if (outcome instanceof Outcome.Retry retry) {
				return new Ran(kind, retry.payload(), retry.delay(), retry.queue(), null, failure, failed);
			}
			if (outcome instanceof Outcome.Snoozed snoozed) {
				return new Ran(kind, snoozed.payload(), snoozed.delay(), null, null, null, false);
			}
			if (outcome instanceof Outcome.PutOff putOff) {
				return new Ran(kind, null, putOff.delay(), null, null, null, false);
			}
			if (outcome instanceof Outcome.Exhausted exhausted) {
				return new Ran(kind, exhausted.rest(), Duration.ZERO, null, exhausted.dead(), failure, failed);
			}
			if (outcome instanceof Outcome.Dead dead) {
				byte[] payload = (dead.payload() != null) ? dead.payload() : work.stored();
				return new Ran(kind, null, null, null, new NewJob(work.id(), payload, null), failure, failed);
			}
			byte[] payload = (outcome instanceof Outcome.Parked parked) ? parked.payload() : null;
			return new Ran(kind, payload, null, null, null, failure, failed);
		}

	}

	/**
	 * Puts off a job that asks for a pause, as a worker does. There is no pause, so other
	 * jobs do not wait.
	 */
	private static final class NoPauses implements Gate {

		@Override
		public @Nullable Hold holdsBack(Candidate job) {
			return null;
		}

		@Override
		public @Nullable Duration putsOff(Candidate job, Throwable thrown) {
			return (thrown instanceof PauseQueueException wish) ? wish.pauseFrom(Instant.now()) : null;
		}

	}

	/** Carries out outcomes on the thread of the caller. */
	private final class Here implements Settler {

		private final Consumer<Ran> settle;

		Here(Consumer<Ran> settle) {
			this.settle = settle;
		}

		@Override
		public void settle(List<UnitOfWork> jobs) {
			jobs.forEach((job) -> {
				Outcome outcome = job.outcome();
				if (outcome != null) {
					move(job, outcome);
				}
			});
		}

		@Override
		public void move(UnitOfWork job, Outcome outcome) {
			this.settle.accept(Ran.of(job, outcome));
			Failure failure = outcome.failure();
			JobRunner.this.hooks.tellHere((failure != null) ? List.of(failure) : List.of());
		}

		@Override
		public void release(List<UnitOfWork> works, boolean begun) {
			throw new IllegalStateException("Nothing is released without a shutdown");
		}

	}

}
