package io.github.steadyjobs.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names and key values of {@link JobsObservation#JOB_PROCESS}. A bean of this type
 * replaces the {@linkplain DefaultJobProcessObservationConvention default}.
 */
public interface JobProcessObservationConvention extends ObservationConvention<JobProcessContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof JobProcessContext;
	}

}
