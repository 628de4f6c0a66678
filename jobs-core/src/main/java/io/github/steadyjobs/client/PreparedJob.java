package io.github.steadyjobs.client;

import java.time.Instant;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A job that has passed all checks and is ready to be stored.
 *
 * @param job what to store
 * @param name the name of the job
 * @param queue the queue of the job
 * @param due milliseconds since the epoch at which the job is due, {@code null} for now
 * @param beforeCommit whether the job waits for no transaction
 * @param durability how safely the job is to be stored
 */
record PreparedJob(NewJob job, String name, String queue, @Nullable Long due, boolean beforeCommit,
		Durability durability) {

	/**
	 * Return the result for when Redis has the job, and it is not known whether a replica
	 * has.
	 */
	EnqueueResult stored() {
		return stored(Durability.STORED);
	}

	EnqueueResult stored(Durability reached) {
		String id = this.job.id();
		return (this.due != null) ? new EnqueueResult.Scheduled(id, Instant.ofEpochMilli(this.due), reached)
				: new EnqueueResult.Enqueued(id, reached);
	}

	/**
	 * Return the result for when the job waits for a commit.
	 */
	EnqueueResult deferred() {
		return new EnqueueResult.Deferred(this.job.id());
	}

	/**
	 * Return the job as it is to be stored after it has waited until now.
	 */
	PreparedJob after(long now) {
		if (this.due == null) {
			return this;
		}
		Long due = (this.due > now) ? this.due : null;
		Long delay = (due != null) ? Long.valueOf(due - now) : null;
		NewJob job = new NewJob(this.job.id(), this.job.payload(), delay);
		return new PreparedJob(job, this.name, this.queue, due, this.beforeCommit, this.durability);
	}

}
