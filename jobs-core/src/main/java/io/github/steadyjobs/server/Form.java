package io.github.steadyjobs.server;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failed;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;

/**
 * How a job is stored: as one payload, or as the payloads that have gathered for a key.
 * It knows what a run binds, and what is stored again when that has failed or is put off.
 * Thread safe.
 */
sealed interface Form permits OnePayload, OrderedPayloads {

	/**
	 * Read what is stored for a job.
	 * @throws InvalidJobException if it is unreadable
	 */
	static Form read(PayloadCodec codec, JobToken token, byte[] stored) {
		return token.isOrdered() ? new OrderedPayloads(codec, stored) : new OnePayload(codec.read(stored));
	}

	/**
	 * Return the death of an unreadable job, which is kept as it is stored. An ordered
	 * one gets another id: its own id is that of its key, which continues.
	 * @param id makes an id
	 */
	static Failed unreadable(JobToken token, byte[] stored, Failure failure, Supplier<String> id) {
		return token.isOrdered() ? new Outcome.Exhausted(new NewJob(id.get(), stored, null), new byte[0], failure)
				: new Outcome.Dead(null, failure);
	}

	/**
	 * Return the job. An ordered one has no arguments here.
	 */
	JobPayload job();

	/** Return the job with the arguments that its method gets, or gets first. */
	JobPayload current();

	/** Return whether the job can expire. */
	boolean isExpiring();

	/**
	 * Bind the arguments of jobs that run together to their method.
	 * @param jobs those of this form, which is that of the first one
	 * @param call calls the method
	 * @throws InvalidJobException if they do not fit
	 */
	Call bind(List<UnitOfWork> jobs, JobDefinition definition, Timeouts.Call call, Settlements settlements);

	/** Return what is stored after the job, without its arguments, was changed. */
	byte[] with(byte[] job);

	/**
	 * Return what a failure that was decided for the job as a whole means for what is
	 * stored.
	 * @param retryQueue the other queue in which it is retried, {@code null} for its own
	 * @param id makes an id for a payload that is dead
	 */
	Failed after(Failed outcome, @Nullable String retryQueue, Supplier<String> id, long now);

	/**
	 * Return the outcome if a part of what is stored is no JSON, {@code null} if all of
	 * it is.
	 * @param id makes an id for a payload that is dead
	 */
	default @Nullable Failed withoutUnreadable(Supplier<String> id, long now) {
		return null;
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
