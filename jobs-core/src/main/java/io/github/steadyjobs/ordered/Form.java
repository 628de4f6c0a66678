package io.github.steadyjobs.ordered;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a job is stored: as one payload, or as the payloads that were
 * collected for a key. Binds the arguments for a run, and writes the bytes to store after
 * a run that failed or was put off. Thread safe.
 */
public interface Form {

	/** Return the job, without arguments if it is ordered. */
	JobPayload job();

	/** Return the job with the arguments of its next payload. */
	JobPayload current();

	/** Return whether the job can expire and can be retried in another queue. */
	boolean isFree();

	/** Return the maximum number of jobs in one run. */
	int mostTogether(JobDefinition definition);

	/**
	 * Bind the arguments of jobs that run together to their method.
	 * @param jobs the jobs, all stored in this form; the first of them must be the job of
	 * this object
	 * @param method calls the method
	 * @throws InvalidJobException if the arguments do not fit the method
	 */
	Call bind(List<? extends Run> jobs, JobDefinition definition, Method method);

	/**
	 * Return the bytes to store after a change to the job.
	 * @param job the changed job as JSON, without arguments if it is ordered
	 */
	byte[] with(byte[] job);

	/**
	 * Take out the payload that has failed for the last time.
	 * @param failed the job with its failure; {@code null} to discard the payload
	 * @param id creates an id for the dead payload
	 * @param now milliseconds since the epoch
	 * @return the rest of the job, {@code null} if the job ends as a whole
	 */
	default @Nullable Rest without(@Nullable JobPayload failed, Supplier<String> id, long now) {
		return null;
	}

	/**
	 * Take out a stored payload that is not valid JSON.
	 * @param id creates an id for the dead payload
	 * @param now milliseconds since the epoch
	 * @return the rest of the job, {@code null} if all payloads are JSON
	 */
	default @Nullable Rest withoutUnreadable(Supplier<String> id, long now) {
		return null;
	}

	/**
	 * A job that continues without one of its payloads.
	 *
	 * @param dead the job with only that payload, under a new id, or {@code null} if the
	 * payload is discarded
	 * @param payload that payload as a job; {@code null} if unreadable or discarded
	 * @param rest the bytes to store for the rest of the job
	 * @param problem why the payload is unreadable, {@code null} if it is readable
	 */
	record Rest(@Nullable NewJob dead, @Nullable JobPayload payload, byte[] rest,
			@Nullable InvalidJobException problem) {

	}

	/** A running job. */
	interface Run extends JobContext {

		Form form();

		/**
		 * Record in Redis that the payload that has just run is done, and wait for the
		 * confirmation.
		 * @param left the size in bytes of the payloads stored after that payload
		 * @param envelope the new envelope, {@code null} to keep the stored envelope
		 * @param done called after the confirmation
		 * @return whether the next payload may run; {@code false} if the job was
		 * cancelled or is no longer held by this process, which the settlement of the job
		 * will also notice
		 * @throws InterruptedException if the process is stopping
		 */
		boolean advance(int left, byte @Nullable [] envelope, Runnable done) throws InterruptedException;

	}

	/** Calls the method of a job. */
	@FunctionalInterface
	interface Method {

		void proceed(@Nullable Object[] values) throws Exception;

	}

	/** A call of the method with the bound arguments. */
	@FunctionalInterface
	interface Call extends ServerInterceptor.Chain {

		/**
		 * Return the exception that prevented some payloads from running, or
		 * {@code null}. These payloads do not count as done even if an interceptor
		 * swallows the exception.
		 */
		default @Nullable Throwable brokenOff() {
			return null;
		}

		/**
		 * Return why the next payload cannot run, if all payloads before it are done and
		 * this process still holds the job; otherwise {@code null}.
		 */
		default @Nullable InvalidJobException misfit() {
			return null;
		}

	}

}
