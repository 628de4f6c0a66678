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
 * How a job is stored: as one payload, or as the payloads that have gathered for a key.
 * It knows what a run binds, and what is stored again when that has failed or is put off.
 * Thread safe.
 */
public interface Form {

	/** Return the job. An ordered one has no arguments here. */
	JobPayload job();

	/** Return the job with the arguments that its method gets, or gets first. */
	JobPayload current();

	/** Return whether the job can expire, and be retried in another queue. */
	boolean isFree();

	/** Return how many jobs one run takes at most. */
	int mostTogether(JobDefinition definition);

	/**
	 * Bind the arguments of jobs that run together to their method.
	 * @param jobs those of this form, which is that of the first one
	 * @param method calls the method
	 * @throws InvalidJobException if they do not fit
	 */
	Call bind(List<? extends Run> jobs, JobDefinition definition, Method method);

	/** Return what is stored after the job, without its arguments, was changed. */
	byte[] with(byte[] job);

	/**
	 * Take out what has failed for the last time.
	 * @param failed the job with its failure; {@code null} to forget it
	 * @param id makes an id for a payload that is dead
	 * @return what that leaves, {@code null} if the job ends as a whole
	 */
	default @Nullable Rest without(@Nullable JobPayload failed, Supplier<String> id, long now) {
		return null;
	}

	/**
	 * Take out a part of what is stored that is no JSON.
	 * @param id makes an id for a payload that is dead
	 * @return what that leaves, {@code null} if all of it is JSON
	 */
	default @Nullable Rest withoutUnreadable(Supplier<String> id, long now) {
		return null;
	}

	/**
	 * A job that goes on without one of its payloads.
	 *
	 * @param dead the job with this payload alone, under a new id, or {@code null} if it
	 * is forgotten
	 * @param payload the same, if it can be read
	 * @param rest what is stored of the job
	 * @param problem why the payload is unreadable, {@code null} if it is not
	 */
	record Rest(@Nullable NewJob dead, @Nullable JobPayload payload, byte[] rest,
			@Nullable InvalidJobException problem) {

	}

	/** A job that runs. */
	interface Run extends JobContext {

		Form form();

		/**
		 * Tell Redis that the payload that has run is done, and wait for the
		 * confirmation.
		 * @param left the size of what is stored after it
		 * @param envelope what is stored of the job from now on, {@code null} if nothing
		 * else
		 * @param done called when that is confirmed
		 * @return whether the next payload may run; not if the job was cancelled or is no
		 * longer held by this process, which its settlement will find as well
		 * @throws InterruptedException if the process stops
		 */
		boolean advance(int left, byte @Nullable [] envelope, Runnable done) throws InterruptedException;

	}

	/** Calls the method of a job. */
	@FunctionalInterface
	interface Method {

		void proceed(@Nullable Object[] values) throws Exception;

	}

	/** A call of the method with what was bound. */
	@FunctionalInterface
	interface Call extends ServerInterceptor.Chain {

		/**
		 * Return what kept payloads from being run. An interceptor that does not pass it
		 * on must not make them count as done.
		 */
		default @Nullable Throwable brokenOff() {
			return null;
		}

		/**
		 * Return why the payload that is next cannot run, if all before it are done and
		 * the job is still ours.
		 */
		default @Nullable InvalidJobException misfit() {
			return null;
		}

	}

}
