package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.definition.JobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A request whose job is known by name.
 *
 * @param target the name and the arguments
 * @param definition the job, or {@code null} if it is not known here
 * @param options the settings of the request
 */
record ResolvedRequest(JobRequest.Named target, @Nullable JobDefinition definition, JobRequest.Options options) {

	private static final String DEFAULT_QUEUE = "default";

	String name() {
		return this.target.name();
	}

	List<@Nullable Object> arguments() {
		return this.target.arguments();
	}

	String queue() {
		if (this.options.queue() != null) {
			return this.options.queue();
		}
		return (this.definition != null) ? this.definition.queue() : DEFAULT_QUEUE;
	}

	/**
	 * Return the number of retries, or {@code null} to leave it to the worker.
	 */
	@Nullable Integer retries() {
		if (this.options.retries() != null) {
			return this.options.retries();
		}
		if (this.definition == null || this.definition.retries() == Job.DEFAULT_RETRIES) {
			return null;
		}
		return this.definition.retries();
	}

	/**
	 * Return whether the job is kept when it is dead.
	 */
	boolean dead() {
		if (this.options.dead() != null) {
			return this.options.dead();
		}
		return this.definition == null || this.definition.dead();
	}

}
