package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Enqueues jobs. Thread safe; an application has one.
 * <p>
 * Inside a Spring transaction a job is checked at once and stored after the commit, and
 * not at all after a rollback, even one to a savepoint, unless the request says
 * {@link JobRequest#beforeCommit()}. A delay still counts from the call. An interrupt of
 * the thread does not prevent jobs from being stored after the commit. While Redis is
 * unavailable or full, they wait in memory and are tried for 30 seconds, or
 * {@code steadyjobs.client.retry-after-commit}, without holding up the commit. A job that
 * cannot be stored is in the log with its payload, and is passed to
 * {@link EnqueueListener#lost}. If Redis refuses a job for good, the commit also throws a
 * {@link JobStoreException}, although <strong>the transaction has committed</strong>,
 * which its message says: do not repeat it. A process that dies between the commit and
 * the answer of Redis may lose the jobs. The log names jobs that should be
 * {@link Durability#REPLICATED} and are only stored.
 * <p>
 * In a callback after the commit a job is stored at once, and the callback gets the
 * exception if that fails.
 * <p>
 * With a {@code steadyjobs.client.buffer} a job that Redis does not take because it is
 * unavailable waits in memory, and the result is {@link EnqueueResult.Buffered}. Jobs of
 * one queue keep their order. {@link Durability#REPLICATED} jobs are never buffered, and
 * a full buffer throws as if there were no buffer.
 * <p>
 * Every method that enqueues may throw these exceptions, with this state of Redis:
 * <ul>
 * <li>{@link InvalidJobException}: the request cannot become a job. No job takes the type
 * of the argument, or several do, or not exactly one {@link Job} method was called.
 * Nothing was sent.</li>
 * <li>{@link JobStoreException}: Redis refused, or did not answer in time. The message
 * says whether the job may have been stored.</li>
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
	 * @param call calls the method once
	 */
	default <T> EnqueueResult enqueue(Class<T> jobClass, JobCall<T> call) {
		return enqueue(JobRequest.of(jobClass, call));
	}

	/**
	 * Enqueue the one job that takes an argument of this type, to run after a delay.
	 * @param delay how long to wait at least, counted from now, to the millisecond; zero
	 * or less runs the job at once
	 */
	default EnqueueResult schedule(Object argument, Duration delay) {
		return enqueue(JobRequest.of(argument).after(delay));
	}

	/**
	 * Enqueue the one job that takes an argument of this type, to run at a time.
	 * @param time when to run the job at the earliest, to the millisecond; one that has
	 * passed runs it at once
	 */
	default EnqueueResult schedule(Object argument, Instant time) {
		return enqueue(JobRequest.of(argument).at(time));
	}

	/**
	 * Enqueue a recorded call of a job's method, to run after a delay.
	 * @param delay how long to wait at least, counted from now, to the millisecond; zero
	 * or less runs the job at once
	 */
	default <T> EnqueueResult schedule(Class<T> jobClass, JobCall<T> call, Duration delay) {
		return enqueue(JobRequest.of(jobClass, call).after(delay));
	}

	/**
	 * Enqueue a recorded call of a job's method, to run at a time.
	 * @param time when to run the job at the earliest, to the millisecond; one that has
	 * passed runs it at once
	 */
	default <T> EnqueueResult schedule(Class<T> jobClass, JobCall<T> call, Instant time) {
		return enqueue(JobRequest.of(jobClass, call).at(time));
	}

	/**
	 * Enqueue a request, now or for later. One round trip.
	 * @param request what to run and when
	 */
	EnqueueResult enqueue(JobRequest request);

	/**
	 * Enqueue many requests, with one round trip per 1,000 of a queue. If one request for
	 * a queue asks for {@link Durability#REPLICATED}, all for that queue wait for it, so
	 * that they keep their order. Within each 1,000, jobs that are due at the same time
	 * are given out in the order of the requests.
	 * @param requests what to run and when
	 * @return a result for each request, in the same order
	 * @throws InvalidJobException if one of the requests cannot become a job. None was
	 * stored then: all are checked before the first is sent.
	 * @throws BulkEnqueueException if Redis refused or did not answer for a part of them.
	 * It has the results of the others, and says for each request whether it was refused,
	 * may be stored or was not sent.
	 */
	List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests);

	/**
	 * Find a job that waits, runs, is scheduled or is dead. A job that is done is gone.
	 * For a {@link Sequential} job, the next payload is returned.
	 * @return the job as it is stored
	 * @throws JobStoreException if Redis did not answer
	 */
	Optional<JobPayload> find(String id);

	/**
	 * Cancel a job that has not ended. One that waits or is scheduled never runs; one
	 * that runs is not interrupted, but does not run again, however it ends. For a
	 * {@link Sequential} job, all payloads that wait for its key are cancelled.
	 * @return whether there was such a job and it was cancelled; {@code false} also for a
	 * dead one
	 * @throws JobStoreException if Redis did not answer
	 */
	default boolean cancel(String id) {
		return cancel(id, false);
	}

	/**
	 * Cancel a job that has not ended, as {@link #cancel(String)} does, and interrupt it
	 * if it runs. The process that runs it learns of that with its next heartbeat, five
	 * seconds later at most unless {@code steadyjobs.liveness.beat} is longer. A run that
	 * ends with an exception then counts as {@linkplain JobOutcome#CANCELLED cancelled},
	 * and not as failed. A job that ignores interrupts continues to its end.
	 * @param mayInterruptIfRunning whether to interrupt the thread that runs the job
	 * @return whether there was such a job and it was cancelled; {@code false} also for a
	 * dead one
	 * @throws JobStoreException if Redis did not answer
	 */
	boolean cancel(String id, boolean mayInterruptIfRunning);

	/**
	 * Return how many jobs wait in the memory of this process until Redis takes them:
	 * those in the {@linkplain EnqueueResult.Buffered buffer}, and those of transactions
	 * that have committed.
	 * @return the number of jobs; 0 for a client that keeps none
	 */
	default int waiting() {
		return 0;
	}

}
