package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.definition.JobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A request whose job is known by name.
 *
 * @param request the request, with a {@link JobRequest.Named} target
 * @param definition the job, or {@code null} if it is not known here
 * @param ownQueue whether the job goes to its own queue, whatever the request names
 */
record ResolvedRequest(JobRequest request, @Nullable JobDefinition definition, boolean ownQueue) {

	private static final String DEFAULT_QUEUE = "default";

	private JobRequest.Named target() {
		return (JobRequest.Named) this.request.target();
	}

	String name() {
		return target().name();
	}

	/**
	 * Return the name that the job has now, where the request may name it by an alias.
	 */
	String jobName() {
		return (this.definition != null) ? this.definition.name() : name();
	}

	List<@Nullable Object> arguments() {
		return target().arguments();
	}

	JobRequest.Options options() {
		return this.request.options();
	}

	String queue() {
		String queue = options().queue();
		if (queue != null && !this.ownQueue) {
			return queue;
		}
		return (this.definition != null) ? this.definition.queue() : DEFAULT_QUEUE;
	}

	/**
	 * Return the number of retries, or {@code null} to leave it to the worker.
	 */
	@Nullable Integer retries() {
		if (options().retries() != null) {
			return options().retries();
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
		Boolean dead = options().dead();
		return (dead != null) ? dead : this.definition == null || this.definition.dead();
	}

}
