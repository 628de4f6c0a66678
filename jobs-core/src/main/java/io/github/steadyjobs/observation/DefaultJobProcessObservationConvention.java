package io.github.steadyjobs.observation;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.observation.JobsObservation.Key;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default convention. Names the observation {@code jobs.process}, and each span after
 * the queue and the job, as in {@code mail process InvoiceJobs.send}. To save time, key
 * values that are known at the start are returned only then, and in the order in which
 * Micrometer sorts them.
 */
public class DefaultJobProcessObservationConvention implements JobProcessObservationConvention {

	static final KeyValue SYSTEM = Key.SYSTEM.withValue("steadyjobs");

	private static final KeyValue OPERATION = Key.OPERATION.withValue("process");

	@Override
	public String getName() {
		return "jobs.process";
	}

	@Override
	public String getContextualName(JobProcessContext context) {
		return context.job().queue() + " process " + context.job().name();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(JobProcessContext context) {
		if (context.isEnded()) {
			return KeyValues.of(Key.OUTCOME.withValue(context.outcome()));
		}
		JobContext job = context.job();
		String queue = job.queue();
		return KeyValues.of(Key.JOB.withValue(job.name()), Key.QUEUE.withValue(queue), Key.DESTINATION.withValue(queue),
				OPERATION, SYSTEM);
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(JobProcessContext context) {
		if (context.isEnded()) {
			return KeyValues.empty();
		}
		JobContext job = context.job();
		return KeyValues.of(Key.ATTEMPT.withValue(Integer.toString(job.attempt())),
				Key.CAPSULE.withValue(job.capsule()), Key.ID.withValue(job.id()), Key.MESSAGE_ID.withValue(job.id()));
	}

}
