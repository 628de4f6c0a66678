package io.github.steadyjobs.sidekiq;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A job for a Ruby process that runs Sidekiq. Immutable: each method that changes a
 * setting returns a changed copy.
 *
 * @param className the Ruby class that performs it, such as {@code Invoices::SendJob}
 * @param arguments the arguments of its method {@code perform}; Jackson must be able to
 * write them as JSON, which Ruby then reads
 * @param queue the name of the Sidekiq queue, without the prefix {@code queue:}
 * @param retries the maximum number of retries; 0 makes the job dead after its first
 * failure, {@code null} uses the setting of Sidekiq, which is 25 by default
 * @param at when the job runs, to the millisecond; if it is {@code null} or in the past,
 * the job runs at once
 * @since 1.0.0
 */
public record SidekiqJob(String className, List<@Nullable Object> arguments, String queue, @Nullable Integer retries,
		@Nullable Instant at) {

	/**
	 * Check and copy the components.
	 * @throws IllegalArgumentException if the class or the queue is empty, or the number
	 * of retries is negative
	 */
	public SidekiqJob {
		Assert.hasText(className, "'className' must not be empty; pass the name of a Ruby class");
		Assert.notNull(arguments, "'arguments' must not be null; for none pass an empty list");
		Assert.hasText(queue, "'queue' must not be empty; pass the name of a queue of Sidekiq");
		Assert.isTrue(retries == null || retries >= 0, () -> "'retries' must be 0 or more, but is " + retries);
		arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
	}

	/**
	 * Create a job for the queue {@code default}.
	 * @param className the Ruby class
	 * @param arguments the arguments of its method {@code perform}
	 * @return the job
	 */
	public static SidekiqJob of(String className, @Nullable Object... arguments) {
		return new SidekiqJob(className, Arrays.asList(arguments), Translation.DEFAULT_QUEUE, null, null);
	}

	/**
	 * Set the queue.
	 * @param queue the name of a queue of Sidekiq
	 * @return the changed job
	 */
	public SidekiqJob queue(String queue) {
		return new SidekiqJob(this.className, this.arguments, queue, this.retries, this.at);
	}

	/**
	 * Set the maximum number of retries.
	 * @param retries the maximum number of retries, 0 or more
	 * @return the changed job
	 */
	public SidekiqJob retries(int retries) {
		return new SidekiqJob(this.className, this.arguments, this.queue, retries, this.at);
	}

	/**
	 * Set when the job runs.
	 * @param at the time; Sidekiq looks for due jobs every few seconds
	 * @return the changed job
	 */
	public SidekiqJob at(Instant at) {
		Assert.notNull(at, "'at' must not be null; leave it out to run the job at once");
		return new SidekiqJob(this.className, this.arguments, this.queue, this.retries, at);
	}

	@Override
	public String toString() {
		// Omit the arguments, because they may contain secrets.
		return "SidekiqJob[%s, queue %s]".formatted(this.className, this.queue);
	}

}
