package io.github.steadyjobs.admin;

import java.util.Optional;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.RedisConnections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Shows the locks that jobs have, and releases them.
 * <p>
 * Locks end with their jobs, and the lock of a lost job is taken over by the next equal
 * job that is enqueued. Release a lock only if you know that its job hangs and should not
 * keep others out. The job itself is left alone: if it runs, it keeps running, even at
 * the same time as an equal one.
 * <p>
 * Thread safe.
 */
public final class JobLocks {

	/** The most locks that a page has, about. */
	public static final int MOST_AT_ONCE = LockStore.MOST_AT_ONCE;

	private static final Logger logger = LoggerFactory.getLogger(JobLocks.class);

	private final LockStore store;

	/**
	 * Create a look at locks.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 */
	public JobLocks(RedisConnections connections, String prefix) {
		this.store = new LockStore(connections, prefix);
	}

	/**
	 * Read the locks of a queue page by page, in no particular order. A lock that exists
	 * all the time is listed, perhaps twice; one that comes or goes meanwhile may be
	 * listed.
	 * @param queue the queue
	 * @param cursor {@link LockPage#START}, or {@link LockPage#next()} of the previous
	 * page
	 * @param size how many locks are wanted, from 1 to {@value #MOST_AT_ONCE}; a page may
	 * have some more, or fewer, or none
	 * @return the page
	 * @throws IllegalArgumentException if the queue name is invalid, no page returned the
	 * cursor, or the size is out of range
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public LockPage page(String queue, String cursor, int size) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		Assert.notNull(cursor, "'cursor' must not be null; begin with LockPage.START");
		Assert.isTrue(size >= 1 && size <= MOST_AT_ONCE,
				() -> "'size' must be 1 to " + MOST_AT_ONCE + ", but is " + size);
		LockStore.Page page = this.store.page(queue, cursor, size);
		return new LockPage(page.locks().stream().map((entry) -> JobLock.of(queue, entry)).toList(), page.next());
	}

	/**
	 * Find the lock of a job, in all queues.
	 * @param id the id of the job
	 * @return the lock that the job has or waits for; its holder is another job if the
	 * job waits, or if its own lock has expired and was taken over. Empty if there is no
	 * such job, it has ended, or it has no lock, for example because it is
	 * {@code UNTIL_EXECUTING} and runs
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public Optional<JobLock> ofJob(String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a job");
		return this.store.ofJob(id)
			.entrySet()
			.stream()
			.flatMap((found) -> found.getValue().stream().map((entry) -> JobLock.of(found.getKey(), entry)))
			.findFirst();
	}

	/**
	 * Find the lock of a job.
	 * @param queue the queue of the job
	 * @param id the id of the job
	 * @return the lock, as {@link #ofJob(String)} returns it
	 * @throws IllegalArgumentException if no queue can be called so
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public Optional<JobLock> ofJob(String queue, String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a job");
		return this.store.ofJob(queue, id).stream().findFirst().map((entry) -> JobLock.of(queue, entry));
	}

	/**
	 * Release a lock, whichever job has it.
	 * @param queue the queue
	 * @param digest what is locked
	 * @return the result, {@link LockRelease#CHANGED} if it changed hands meanwhile
	 * @throws IllegalArgumentException if no queue can be called so
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * lock may be released then
	 */
	public LockRelease release(String queue, String digest) {
		Assert.notNull(digest, "'digest' must not be null; pass the digest of a lock");
		LockRelease release = LockRelease.NOT_LOCKED;
		for (LockStore.Lock lock : this.store.ofDigest(queue, digest)) {
			LockRelease one = release(queue, digest, lock.holder());
			release = (release == LockRelease.RELEASED) ? release : one;
		}
		return release;
	}

	/**
	 * Release a lock if a certain job has it.
	 * <ul>
	 * <li>From now on an equal job is stored, although the one that had the lock may
	 * still wait or run. When that one ends, it leaves the lock to the job that has it by
	 * then.</li>
	 * <li>A duplicate that is to run once more stays where it is until that job has
	 * ended.</li>
	 * <li>With {@code WHILE_EXECUTING} the next waiting job goes on, at the same time as
	 * the one that had the lock.</li>
	 * </ul>
	 * If the connection breaks, the answer may come from a second attempt, which finds
	 * nothing to release.
	 * @param queue the queue
	 * @param digest what is locked
	 * @param holder the id of the job
	 * @return the result
	 * @throws IllegalArgumentException if no queue can be called so
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * lock may be released then
	 */
	public LockRelease release(String queue, String digest, String holder) {
		Assert.notNull(digest, "'digest' must not be null; pass the digest of a lock");
		Assert.notNull(holder, "'holder' must not be null; leave it out to release the lock whichever job has it");
		LockRelease release = LockRelease.valueOf(this.store.release(queue, digest, holder));
		if (release == LockRelease.RELEASED) {
			logger.info("Lock {} of queue {} was released; job {}, which had it, is left as it is", digest, queue,
					holder);
		}
		return release;
	}

	/**
	 * Release the lock that a job has.
	 * @param id the id of the job, in any queue
	 * @return the result; {@link LockRelease#CHANGED} if the job waits for another one or
	 * has lost its lock to another one
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * lock may be released then
	 */
	public LockRelease releaseOfJob(String id) {
		Optional<JobLock> lock = ofJob(id);
		return lock.map((found) -> release(found.queue(), found.digest(), id)).orElse(LockRelease.NOT_LOCKED);
	}

}
