package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Enqueues jobs. Thread safe; an application has a single client.
 * <p>
 * Inside a Spring transaction, a job is checked at once and stored after the commit. It
 * is not stored after a rollback, even a rollback to a savepoint. The job of a request
 * with {@link JobRequest#beforeCommit()} is stored at once instead. A delay is always
 * counted from the call that enqueues the job. Interrupting the thread does not prevent
 * jobs from being stored after the commit. While Redis is unavailable or full, the jobs
 * wait in memory without holding up the commit, and the client keeps trying to store them
 * until {@code steadyjobs.client.retry-after-commit} (30 seconds by default) has passed.
 * A job that cannot be stored is logged with its payload and passed to
 * {@link EnqueueListener#lost}. If Redis refuses a job permanently, the commit also
 * throws a {@link JobStoreException}, although <strong>the transaction has
 * committed</strong>. The message of the exception says so: do not repeat the
 * transaction. If the process dies between the commit and the answer from Redis, the jobs
 * may be lost. Jobs that should be {@link Durability#REPLICATED} but were only stored are
 * logged.
 * <p>
 * A job that a callback enqueues after the commit is stored at once. If the job cannot be
 * stored, the callback receives the exception.
 * <p>
 * If {@code steadyjobs.client.buffer} is set, a job that cannot be stored because Redis
 * is unavailable waits in memory, and the result is {@link EnqueueResult.Buffered}. Jobs
 * of the same queue keep their relative order. {@link Durability#REPLICATED} jobs are
 * never buffered. If the buffer is full, the client throws an exception, as it would
 * without a buffer.
 * <p>
 * Every method that enqueues jobs may throw these exceptions:
 * <ul>
 * <li>{@link InvalidJobException}: the request cannot become a job. For example, no job
 * takes an argument of this type, or several jobs do, or the recorded call did not call
 * exactly one {@link Job} method. Nothing was sent.</li>
 * <li>{@link JobStoreException}: Redis refused the request, was unavailable or did not
 * answer in time. The message says whether the job may have been stored.</li>
 * </ul>
 */
public interface JobClient {

	/**
	 * Enqueue the one job that takes an argument of this type.
	 * @param argument the only argument of the job
	 */
	default EnqueueResult enqueue(Object argument) {
		return enqueue(JobRequest.of(argument));
	}

	/**
	 * Enqueue a recorded call of a job's method.
	 * @param <T> the class or interface that has the method
	 * @param jobClass the class or interface that has the method
	 * @param call a lambda that calls the method once
	 */
	default <T> EnqueueResult enqueue(Class<T> jobClass, JobCall<T> call) {
		return enqueue(JobRequest.of(jobClass, call));
	}

	/**
	 * Enqueue the one job that takes an argument of this type, to run after a delay.
	 * @param delay the minimum delay, counted from now, to the millisecond; if it is zero
	 * or less, the job runs at once
	 */
	default EnqueueResult schedule(Object argument, Duration delay) {
		return enqueue(JobRequest.of(argument).after(delay));
	}

	/**
	 * Enqueue the one job that takes an argument of this type, to run at a given time.
	 * @param time the earliest time to run the job, to the millisecond; if it is in the
	 * past, the job runs at once
	 */
	default EnqueueResult schedule(Object argument, Instant time) {
		return enqueue(JobRequest.of(argument).at(time));
	}

	/**
	 * Enqueue a recorded call of a job's method, to run after a delay.
	 * @param delay the minimum delay, counted from now, to the millisecond; if it is zero
	 * or less, the job runs at once
	 */
	default <T> EnqueueResult schedule(Class<T> jobClass, JobCall<T> call, Duration delay) {
		return enqueue(JobRequest.of(jobClass, call).after(delay));
	}

	/**
	 * Enqueue a recorded call of a job's method, to run at a given time.
	 * @param time the earliest time to run the job, to the millisecond; if it is in the
	 * past, the job runs at once
	 */
	default <T> EnqueueResult schedule(Class<T> jobClass, JobCall<T> call, Instant time) {
		return enqueue(JobRequest.of(jobClass, call).at(time));
	}

	/**
	 * Enqueue the job of a request, to run now or later. Takes one round trip to Redis.
	 * @param request the request, which says what to run and when
	 */
	EnqueueResult enqueue(JobRequest request);

	/**
	 * Enqueue many requests, with one round trip for each group of requests for the same
	 * queue: up to 1,000 requests and about 1 MB of payloads. If one request for a queue
	 * asks for {@link Durability#REPLICATED}, all requests for that queue wait for
	 * replication, to keep their relative order. Within each group, jobs that are due at
	 * the same time are handed out in the order of the requests.
	 * @param requests the requests, which say what to run and when
	 * @return a result for each request, in the same order
	 * @throws InvalidJobException if one of the requests cannot become a job. In that
	 * case no job is stored, because all requests are checked before the first is sent.
	 * @throws BulkEnqueueException if Redis refused or did not answer some of the
	 * requests. The exception contains the results of the other requests, and says for
	 * each request whether it was refused, may be stored or was not sent.
	 */
	List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests);

	/**
	 * Find a stored job, whatever its state: for example waiting, running, scheduled or
	 * dead. A job that is done is no longer stored. For a {@link Sequential} job, the
	 * next payload is returned.
	 * @return the job as it is stored; empty if it is not stored
	 * @throws JobStoreException if Redis did not answer
	 */
	Optional<JobPayload> find(String id);

	/**
	 * Cancel a job that has not ended. A waiting or scheduled job never runs. A running
	 * job is not interrupted, but does not run again, however it ends. For a
	 * {@link Sequential} job, all payloads that are waiting for its key are cancelled.
	 * @return whether the job was found and cancelled; also {@code false} for a dead job
	 * @throws JobStoreException if Redis did not answer
	 */
	default boolean cancel(String id) {
		return cancel(id, false);
	}

	/**
	 * Cancel a job that has not ended, as {@link #cancel(String)} does, and interrupt it
	 * if it is running. The process that runs it learns of the cancellation at its next
	 * heartbeat, at most five seconds later unless {@code steadyjobs.liveness.beat} is
	 * longer. If the run then ends with an exception, it counts as
	 * {@linkplain JobOutcome#CANCELLED cancelled}, not as failed. A job that ignores
	 * interrupts continues to its end.
	 * @param mayInterruptIfRunning whether to interrupt the thread that runs the job
	 * @return whether the job was found and cancelled; also {@code false} for a dead job
	 * @throws JobStoreException if Redis did not answer
	 */
	boolean cancel(String id, boolean mayInterruptIfRunning);

	/**
	 * Return how many jobs are waiting in the memory of this process to be stored in
	 * Redis: jobs in the {@linkplain EnqueueResult.Buffered buffer}, and jobs of
	 * committed transactions.
	 * @return the number of jobs; 0 for a client that keeps no jobs in memory
	 */
	default int waiting() {
		return 0;
	}

}
