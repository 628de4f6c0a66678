package io.github.steadyjobs.observation;

import java.util.Locale;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.observation.JobsObservation.Key;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default convention. Names the observation {@code jobs.publish}, and each span after
 * the queue, as in {@code mail send}. To save time, key values that are known at the
 * start are returned only then, and in the order in which Micrometer sorts them.
 */
public class DefaultJobPublishObservationConvention implements JobPublishObservationConvention {

	private static final KeyValue OPERATION = Key.OPERATION.withValue("send");

	@Override
	public String getName() {
		return "jobs.publish";
	}

	@Override
	public String getContextualName(JobPublishContext context) {
		return context.queue() + " send";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(JobPublishContext context) {
		if (context.isEnded()) {
			return KeyValues.of(Key.RESULT.withValue(result(context)));
		}
		return KeyValues.of(Key.JOB.withValue(context.job()), Key.QUEUE.withValue(context.queue()),
				Key.DESTINATION.withValue(context.queue()), OPERATION, DefaultJobProcessObservationConvention.SYSTEM);
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(JobPublishContext context) {
		if (context.isEnded()) {
			return KeyValues.of(Key.COUNT.withValue(Integer.toString(context.jobs())));
		}
		return KeyValues.of(Key.ID.withValue(context.id()), Key.MESSAGE_ID.withValue(context.id()));
	}

	private static String result(JobPublishContext context) {
		EnqueueResult result = context.result();
		if (result != null) {
			return result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
		}
		return (context.getError() != null) ? "failed" : "bulk";
	}

}
