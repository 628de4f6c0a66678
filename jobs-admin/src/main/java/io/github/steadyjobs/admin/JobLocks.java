package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;

import org.springframework.util.Assert;

/**
 * Shows the locks that jobs hold, and releases them.
 * <p>
 * Except with {@code WITHIN}, a lock ends with its job at the latest, and the lock of a
 * lost job is taken over by the next equal job that is enqueued. Release a lock only if
 * you know that its job hangs and should no longer keep out equal jobs. Releasing a lock
 * does not affect its job: a running job keeps running, possibly at the same time as an
 * equal job.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused a request, is not
 * reachable or did not answer. In this case, the lock may have been released
 * nevertheless.
 * <p>
 * Thread safe.
 */
public final class JobLocks {

	/** Approximate maximum number of locks on a page. */
	public static final int MOST_AT_ONCE = 1000;

	static final JobScript HOLDERS = JobScript.of(JobLocks.class, "holders");

	static final JobScript RELEASE_LOCK = JobScript.of(JobLocks.class, "release-lock");

	/** The beginning of a cursor when only mutexes remain to be read. */
	private static final String OF_MUTEXES = "m:";

	/** Maximum number of steps for a page: if a hash has shrunk, steps may be empty. */
	private static final int MOST_STEPS = 10;

	private static final Pattern OF_LOCKS = Pattern.compile("\\d{1,19}");

	private final StoreCalls calls;

	private final OperatorChange.Listener activity;

	/** Create a view of locks. */
	public JobLocks(RedisConnections connections, String prefix) {
		this(connections, prefix, OperatorChange.Listener.LOG);
	}

	/** Create a view of locks. The listener is notified of each released lock. */
	public JobLocks(RedisConnections connections, String prefix, OperatorChange.Listener activity) {
		this.calls = StoreCalls.of(connections, prefix);
		this.activity = activity;
	}

	/**
	 * Read the locks of a queue page by page, in no particular order. A lock that exists
	 * all the time is listed, possibly twice. A lock that is created or released while
	 * pages are read may be missing.
	 * @param cursor {@link LockPage#START}, or {@link LockPage#next()} of the previous
	 * page
	 * @param size the desired number of locks, 1 to {@value #MOST_AT_ONCE}; a page may
	 * have a few more locks, or fewer, or no locks at all
	 * @throws IllegalArgumentException if the queue name is invalid, the cursor was not
	 * returned by a page, or the size is out of range
	 */
	public LockPage page(String queue, String cursor, int size) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		Assert.notNull(cursor, "'cursor' must not be null; begin with LockPage.START");
		Assert.isTrue(size >= 1 && size <= MOST_AT_ONCE,
				() -> "'size' must be 1 to " + MOST_AT_ONCE + ", but is " + size);
		LockPage page = step(queue, cursor, size);
		for (int i = 1; i < MOST_STEPS && page.locks().isEmpty() && page.hasNext(); i++) {
			page = step(queue, page.next(), size);
		}
		return page;
	}

	private LockPage step(String queue, String cursor, int size) {
		boolean isOfMutexes = cursor.startsWith(OF_MUTEXES);
		Assert.isTrue(isOfMutexes || OF_LOCKS.matcher(cursor).matches(),
				() -> "'" + cursor + "' is not a cursor of a page of locks");
		ScriptCall call = isOfMutexes ? holders(queue, "mutexes", cursor.substring(OF_MUTEXES.length()))
				: holders(queue, "locks", cursor);
		List<Object> answer = this.calls.run(call.add(size));
		String next = Answers.text(answer, 0);
		boolean isLast = next.equals("0");
		return new LockPage(locks(queue, answer),
				isOfMutexes ? (isLast ? LockPage.START : OF_MUTEXES + next) : isLast ? OF_MUTEXES : next);
	}

	/**
	 * Create a call to the script. Texts that come from Redis have one character per
	 * byte.
	 */
	private ScriptCall holders(String queue, String what, String of) {
		return this.calls.to(HOLDERS, queue).add(what).add(bytes(of));
	}

	static List<JobLock> locks(String queue, List<Object> answer) {
		return answer.stream().skip(1).map((lock) -> JobLock.of(queue, (List<?>) lock)).toList();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Find the lock of a job in any queue.
	 * @return the lock that the job holds or for which it waits. The holder is another
	 * job if the given job waits for the lock, or if the lock of the given job has
	 * expired and was taken over. Empty if there is no such job, if the job has ended, or
	 * if it has no lock, for example because it has the strategy {@code UNTIL_EXECUTING}
	 * and is running
	 */
	public Optional<JobLock> ofJob(String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a job");
		return this.calls.runAll(this.calls.queues(), (queue) -> holders(queue, "id", id))
			.entrySet()
			.stream()
			.flatMap((found) -> locks(found.getKey(), found.getValue()).stream())
			.findFirst();
	}

	/**
	 * Find the lock of a job in one queue.
	 * @return the lock, as for {@link #ofJob(String)}
	 * @throws IllegalArgumentException if the queue name is invalid
	 */
	public Optional<JobLock> ofJob(String queue, String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a job");
		return locks(queue, this.calls.run(holders(queue, "id", id))).stream().findFirst();
	}

	/**
	 * Release a lock, whichever job holds it.
	 * @param digest the digest of the lock
	 * @return the result; {@link LockRelease#CHANGED} if another job got the lock during
	 * the call
	 * @throws IllegalArgumentException if the queue name is invalid
	 */
	public LockRelease release(String queue, String digest) {
		Assert.notNull(digest, "'digest' must not be null; pass the digest of a lock");
		LockRelease release = LockRelease.NOT_LOCKED;
		for (JobLock lock : locks(queue, this.calls.run(holders(queue, "digest", digest)))) {
			LockRelease one = release(queue, digest, lock.holder());
			release = (release == LockRelease.RELEASED) ? release : one;
		}
		return release;
	}

	/**
	 * Release a lock if the given job holds it.
	 * <ul>
	 * <li>From now on, an equal job is stored, although the job that held the lock may
	 * still be waiting or running. When that job ends, it does not release the lock if
	 * another job has acquired it by then.</li>
	 * <li>A duplicate that is to run once more stays stored until that job has
	 * ended.</li>
	 * <li>With {@code WHILE_EXECUTING}, the next waiting job continues, possibly at the
	 * same time as the job that held the lock.</li>
	 * </ul>
	 * If the connection breaks, the result may come from a second attempt, which finds
	 * nothing to release.
	 * @param digest the digest of the lock
	 * @param holder the id of the job
	 * @throws IllegalArgumentException if the queue name is invalid
	 */
	public LockRelease release(String queue, String digest, String holder) {
		Assert.notNull(digest, "'digest' must not be null; pass the digest of a lock");
		Assert.notNull(holder, "'holder' must not be null; leave it out to release the lock whichever job has it");
		LockRelease release = LockRelease
			.valueOf(this.calls.text(this.calls.to(RELEASE_LOCK, queue).add(bytes(digest)).add(bytes(holder))));
		if (release == LockRelease.RELEASED) {
			this.activity.changed(OperatorChange.of("release-lock",
					"Lock %s of queue %s was released; job %s, which had it, is left as it is".formatted(digest, queue,
							holder),
					"queue", queue, "digest", digest, "job", holder));
		}
		return release;
	}

	/**
	 * Release the lock that a job holds.
	 * @param id the id of the job, in any queue
	 * @return the result; {@link LockRelease#CHANGED} if the job waits for another job,
	 * or has lost its lock to another job
	 */
	public LockRelease releaseOfJob(String id) {
		Optional<JobLock> lock = ofJob(id);
		return lock.map((found) -> release(found.queue(), found.digest(), id)).orElse(LockRelease.NOT_LOCKED);
	}

}
