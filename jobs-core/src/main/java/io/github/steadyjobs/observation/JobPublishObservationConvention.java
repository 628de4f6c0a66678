package io.github.steadyjobs.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names and key values of {@link JobsObservation#JOB_PUBLISH}. A bean of this type
 * replaces the {@linkplain DefaultJobPublishObservationConvention default}.
 */
public interface JobPublishObservationConvention extends ObservationConvention<JobPublishContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof JobPublishContext;
	}

}
