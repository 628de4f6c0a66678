package io.github.steadyjobs.client;

import java.time.Instant;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.Admission.Kind;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NewLock;
import org.jspecify.annotations.Nullable;

/**
 * A job that has passed all checks and is ready to be stored.
 *
 * @param job what to store, without its delay, which is what is left when it is stored
 * @param name the name of the job
 * @param queue the queue of the job
 * @param due milliseconds since the epoch at which the job is due, {@code null} for now
 * @param options the settings of the request
 * @param keepConsistency whether the job is to see data as new as that at the time when
 * it is stored
 */
record PreparedJob(NewJob job, String name, String queue, @Nullable Long due, JobRequest.Options options,
		boolean keepConsistency) {

	/**
	 * Return the result for when Redis has the job, and it is not known whether a replica
	 * has, nor whether it is a duplicate.
	 */
	EnqueueResult stored() {
		return stored(Durability.STORED);
	}

	private EnqueueResult stored(Durability reached) {
		String id = this.job.id();
		return (this.due != null) ? new EnqueueResult.Scheduled(id, Instant.ofEpochMilli(this.due), reached)
				: new EnqueueResult.Enqueued(id, reached);
	}

	/**
	 * Return the result for when Redis has answered.
	 */
	EnqueueResult taken(Admission admission, Durability reached) {
		return admission.isStored() ? stored(reached)
				: new EnqueueResult.Duplicate(admission.holder(), admission.kind() == Kind.RUNS_ONCE_MORE);
	}

	/**
	 * Return the result for when the job waits for a commit.
	 */
	EnqueueResult deferred() {
		return new EnqueueResult.Deferred(this.job.id());
	}

	/**
	 * Return the job with positions of data.
	 */
	PreparedJob with(NewLock lock) {
		NewJob job = new NewJob(this.job.id(), this.job.payload(), null, lock);
		return new PreparedJob(job, this.name, this.queue, this.due, this.options, this.keepConsistency);
	}

	/**
	 * Return what to store now.
	 */
	NewJob toStore(long now) {
		if (this.due == null || this.due <= now) {
			return this.job;
		}
		return new NewJob(this.job.id(), this.job.payload(), this.due - now, this.job.lock());
	}

}
