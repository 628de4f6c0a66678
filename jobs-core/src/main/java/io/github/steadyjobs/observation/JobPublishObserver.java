package io.github.steadyjobs.observation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.client.EnqueueObserver;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes calls that enqueue jobs, as {@link JobsObservation#JOB_PUBLISH}, and gives the
 * jobs the trace of the observation and the {@linkplain CarriedContext context} of the
 * thread. Thread safe.
 */
public final class JobPublishObserver implements EnqueueObserver {

	private static final JobPublishObservationConvention DEFAULT = new DefaultJobPublishObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable JobPublishObservationConvention convention;

	private final CarriedContext context;

	/**
	 * Create an observer.
	 * @param registry the registry; if it is a no-op, jobs only get the context
	 * @param convention replaces the default convention, if it is not {@code null}
	 */
	public JobPublishObserver(ObservationRegistry registry, @Nullable JobPublishObservationConvention convention,
			CarriedContext context) {
		this.registry = registry;
		this.convention = convention;
		this.context = context;
	}

	@Override
	public Call begin(String id, String job, String queue) {
		Map<String, String> values = this.context.capture();
		if (!this.registry.isNoop()) {
			return new Publication(new JobPublishContext(id, job, queue), values);
		}
		return values.isEmpty() ? Call.NONE : (own) -> merge(values, own, Map.of());
	}

	/** Merge values: the request replaces the context, and the trace replaces both. */
	private static Map<String, String> merge(Map<String, String> values, Map<String, String> own,
			Map<String, String> trace) {
		if (values.isEmpty() && (own.isEmpty() || trace.isEmpty())) {
			return own.isEmpty() ? trace : own;
		}
		Map<String, String> all = new LinkedHashMap<>(values);
		all.putAll(own);
		all.putAll(trace);
		return all;
	}

	/** An observed call. */
	private final class Publication implements Call {

		private final JobPublishContext context;

		private final Map<String, String> values;

		private final GuardedObservation observation;

		Publication(JobPublishContext context, Map<String, String> values) {
			this.context = context;
			this.values = values;
			this.observation = GuardedObservation.start(JobPublishObserver.this.registry,
					() -> JobsObservation.JOB_PUBLISH.observation(JobPublishObserver.this.convention, DEFAULT,
							() -> context, JobPublishObserver.this.registry));
		}

		@Override
		public Map<String, String> meta(Map<String, String> own) {
			return merge(this.values, own, Objects.requireNonNull(this.context.getCarrier()));
		}

		@Override
		public void leave() {
			this.observation.leave();
		}

		@Override
		public void end(int jobs, @Nullable EnqueueResult result, @Nullable Throwable failure) {
			this.context.ended(jobs, result);
			this.observation.stop(failure);
		}

	}

}
