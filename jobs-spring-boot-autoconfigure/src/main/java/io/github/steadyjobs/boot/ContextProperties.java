package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Set;

import org.springframework.boot.context.properties.bind.DefaultValue;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Settings for the context that travels with jobs.
 *
 * @param keys Keys of the values that travel from the thread that enqueues a job to the
 * run of the job, such as 'tenant'. They are keys of the log context or of Micrometer's
 * ThreadLocalAccessors. The values are stored with the job and must be strings.
 */
record ContextProperties(@DefaultValue List<String> keys) {

	/** Keys whose values this library or the tracer sets for each run. */
	private static final Set<String> RESERVED = Set.of("jobId", "jobName", "jobQueue", "jobAttempt", "capsule",
			"jobOutcome", "jobDurationMillis", "traceId", "spanId");

	ContextProperties {
		for (String key : keys) {
			throwUnless(!key.isBlank(), "steadyjobs.context.keys", key,
					"Name keys of the log context or of a ThreadLocalAccessor, as in 'tenant'.");
			throwUnless(!RESERVED.contains(key), "steadyjobs.context.keys", key,
					"Leave this key out. Each run has its own value for it, and traces travel without being listed.");
		}
	}

}
