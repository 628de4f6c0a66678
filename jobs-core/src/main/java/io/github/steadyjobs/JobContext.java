package io.github.steadyjobs;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The run of a job, as the job itself and {@link ServerInterceptor interceptors} see it.
 * May be used from any thread.
 */
public interface JobContext {

	/** Return the id of the job: 24 hex digits, the same for all of its attempts. */
	String id();

	/** Return the name the job was stored under, which may be an alias. */
	String name();

	/** Return the queue the job was taken from. */
	String queue();

	/** Return the name of the capsule that runs the job. */
	String capsule();

	/**
	 * Return the key of an ordered job. No other job with this key runs at the same time.
	 * @return the key, or the first key of a batch; {@code null} for a job that is not
	 * {@link Sequential}
	 */
	default @Nullable String key() {
		return null;
	}

	/**
	 * Return the number of this attempt. Only failures count: a run that a crash or a
	 * shutdown cut short is repeated with the same number.
	 * @return the number, 1 for the first attempt
	 */
	int attempt();

	/**
	 * Return how many attempts the job gets before it is dead.
	 * @return 1 for a job without retries, {@link Integer#MAX_VALUE} for a job whose
	 * retries are limited only by time
	 */
	int maxAttempts();

	/** Return when the job was enqueued, by its producer's clock, to the millisecond. */
	Instant enqueuedAt();

	/**
	 * Return when this run was due.
	 * @return the time, or {@code null} for a job that was neither scheduled nor retried
	 */
	@Nullable Instant scheduledAt();

	/** Return the tags from the {@link Job} annotation and the request; may be empty. */
	List<String> tags();

	/**
	 * Return the values that interceptors and the request have attached to the job.
	 * @return values by name; may be empty
	 */
	Map<String, String> meta();

	/**
	 * Return the minimum positions of the data that this run sees, for a job that
	 * {@linkplain Idempotent#keepConsistency() keeps its consistency}.
	 * @return the names of {@linkplain ConsistencySource sources}, and for each source
	 * the newest position at which the job or a dropped duplicate of it was enqueued
	 */
	Map<String, String> consistency();

	/**
	 * Return the arguments of the job as one value: the argument itself if there is only
	 * one, otherwise an array of all of them.
	 * @param <T> the requested type
	 * @param type the requested type
	 * @throws InvalidJobException if the arguments do not fit the type
	 */
	<T> T arguments(Class<T> type);

	/**
	 * Return whether this process is shutting down. A long job can check this and end
	 * early by throwing {@link InterruptedException}; the job then goes back to the head
	 * of its queue, and no retry is used up. A job that must not run twice becomes dead
	 * instead.
	 * @return whether the process is shutting down
	 */
	boolean isStopping();

	/**
	 * Return whether this process has lost the job, because the process was presumed dead
	 * or Redis has lost data. Another process may then run the job, and the result of
	 * this run no longer counts.
	 * @return whether the job is no longer held by this process
	 */
	boolean isLost();

	/**
	 * Return a number that is greater for each later run of the same job, including
	 * retries. A store that the job writes to can use it to refuse writes from a run that
	 * was presumed dead and has been replaced. The number keeps growing even after Redis
	 * has lost data, unless the clock of Redis was also set back.
	 * @return the token, a positive number
	 */
	long fencingToken();

	/**
	 * Return a placeholder for the context in a {@link JobCall recorded call}. The
	 * methods of the placeholder throw exceptions.
	 */
	static JobContext none() {
		// A local class is visible only in this method. A member of the interface would
		// be public.
		final class Holder {

			static final JobContext NONE = (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
					new Class<?>[] { JobContext.class }, (proxy, method, args) -> switch (method.getName()) {
						case "toString" -> "JobContext.none()";
						case "hashCode" -> System.identityHashCode(proxy);
						case "equals" -> proxy == args[0];
						default -> throw new IllegalStateException(
								"JobContext.none() only stands in while a call is recorded; a running job gets a real one");
					});

		}
		return Holder.NONE;
	}

}
