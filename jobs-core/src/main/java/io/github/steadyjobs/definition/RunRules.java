package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What annotation and configuration say about the runs of a job. Thread safe.
 *
 * @param expires how long after it is due the job may still begin, or {@code null}
 * @param timeout how long a call of its method may take, or {@code null}
 * @param tags the tags of each of these jobs
 */
public record RunRules(@Nullable Duration expires, @Nullable Duration timeout, List<String> tags) {

	/** Those of a job that says nothing. */
	public static final RunRules NONE = new RunRules(null, null, List.of());

	public RunRules {
		tags = List.copyOf(tags);
	}

}
