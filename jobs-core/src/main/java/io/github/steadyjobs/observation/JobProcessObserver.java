package io.github.steadyjobs.observation;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Observes runs of jobs, as {@link JobsObservation#JOB_PROCESS}, in the trace that the
 * job carries. Thread safe.
 */
public final class JobProcessObserver implements ServerInterceptor, PriorityOrdered {

	private static final JobProcessObservationConvention DEFAULT = new DefaultJobProcessObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable JobProcessObservationConvention convention;

	/**
	 * Create an observer.
	 * @param registry the registry; if it is a no-op, nothing is done
	 * @param convention replaces the default convention, if it is not {@code null}
	 */
	public JobProcessObserver(ObservationRegistry registry, @Nullable JobProcessObservationConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void intercept(JobContext job, Chain chain) throws Exception {
		if (this.registry.isNoop()) {
			chain.proceed();
		}
		else {
			observe(new JobProcessContext(job), chain);
		}
	}

	private void observe(JobProcessContext context, Chain chain) throws Exception {
		GuardedObservation observation = GuardedObservation.start(this.registry,
				() -> JobsObservation.JOB_PROCESS.observation(this.convention, DEFAULT, () -> context, this.registry));
		Throwable failure = null;
		try {
			chain.proceed();
			context.ended("done");
		}
		catch (Throwable ex) {
			String outcome = outcome(context.job(), ex);
			context.ended(outcome);
			failure = outcome.equals("failed") ? ex : null;
			throw ex;
		}
		finally {
			observation.leave();
			observation.stop(failure);
		}
	}

	/** Return the outcome of a run that threw an exception, which may be no failure. */
	private static String outcome(JobContext job, Throwable thrown) {
		if (thrown instanceof SnoozeJobException) {
			return "snoozed";
		}
		if (thrown instanceof PauseQueueException) {
			return "put_off";
		}
		return (thrown instanceof InterruptedException && job.isStopping()) ? "released" : "failed";
	}

	@Override
	public int getOrder() {
		// Outside all interceptors, because those with a priority come before the others.
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
