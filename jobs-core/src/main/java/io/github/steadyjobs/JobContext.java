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

	/** Return the id of the job, 24 hex digits, the same for each of its attempts. */
	String id();

	/** Return the name the job was stored under, which may be an alias. */
	String name();

	/** Return the queue the job was taken from. */
	String queue();

	/** Return the name of the capsule that runs the job. */
	String capsule();

	/**
	 * Return the key of an ordered job: no other run of this key is under way.
	 * @return the key, or the first key of a batch; {@code null} for a job that is not
	 * {@link Sequential}
	 */
	default @Nullable String key() {
		return null;
	}

	/**
	 * Return which attempt this is. Only failures count: a run that a crash or a shutdown
	 * cut short is repeated under the same number.
	 * @return 1 for the first
	 */
	int attempt();

	/**
	 * Return how many attempts the job gets before it is dead.
	 * @return 1 for a job without retries, {@link Integer#MAX_VALUE} for one that is
	 * retried for a time without a limit to the number
	 */
	int maxAttempts();

	/** Return when it was enqueued, by its producer's clock, to the millisecond. */
	Instant enqueuedAt();

	/**
	 * Return the time this run was due.
	 * @return the time, or {@code null} for a job that was neither scheduled nor retried
	 */
	@Nullable Instant scheduledAt();

	/** Return the tags that the job's {@link Job} and the request gave it, often none. */
	List<String> tags();

	/**
	 * Return the values that interceptors and the request have attached to the job.
	 * @return names and values, often none
	 */
	Map<String, String> meta();

	/**
	 * Return how new the data that this run sees is at least, for a job that
	 * {@linkplain Idempotent#keepConsistency() keeps its consistency}.
	 * @return names of {@linkplain ConsistencySource sources}, and the newest position of
	 * each when the job or a dropped duplicate of it was enqueued
	 */
	Map<String, String> consistency();

	/**
	 * Return the arguments of the job as one value: the argument itself where there is
	 * one, or the array of all of them.
	 * @param <T> the type wanted
	 * @param type the type wanted
	 * @throws InvalidJobException if they do not fit the type
	 */
	<T> T arguments(Class<T> type);

	/**
	 * Return whether this process is shutting down. A long job may check this and end
	 * early by throwing {@link InterruptedException}; it then goes back to the head of
	 * its queue and no retry is used up.
	 * @return whether a stop is under way
	 */
	boolean isStopping();

	/**
	 * Return whether this process was taken for dead and the job given away. Nothing that
	 * this run settles counts any longer.
	 * @return whether the job is no longer held by this process
	 */
	boolean isLost();

	/**
	 * Return a number by which a store that the job writes to can distinguish a run that
	 * was taken for dead from the one that replaced it, and refuse the former: it is
	 * greater for each later run of the same job, retries included. It keeps growing
	 * after Redis has lost data, unless its clock was set back as well.
	 * @return the token, positive
	 */
	long fencingToken();

	/**
	 * Return a stand-in for the context in a {@link JobCall recorded call}. Every method
	 * of it throws.
	 */
	static JobContext none() {
		// Only this method sees it: a member of an interface would be public.
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
