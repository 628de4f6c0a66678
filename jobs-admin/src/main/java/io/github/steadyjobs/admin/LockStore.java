package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.LockKind;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Locks of jobs, for people to see and release. Each call is one script of bounded work,
 * and fails with a {@link JobStoreException} if Redis refused, is not reachable or did
 * not answer. Thread safe.
 */
final class LockStore {

	static final JobScript HOLDERS = JobScript.of(LockStore.class, "holders");

	static final JobScript RELEASE_LOCK = JobScript.of(LockStore.class, "release-lock");

	/** The approximate maximum of locks on a page. */
	static final int MOST_AT_ONCE = 1000;

	/** The beginning of a cursor when only mutexes are left. */
	private static final String OF_MUTEXES = "m:";

	private static final String END = "0";

	/** A scan of a hash that was once much larger may find nothing for a while. */
	private static final int MOST_STEPS = 10;

	private static final Pattern OF_LOCKS = Pattern.compile("\\d{1,19}");

	private final StoreCalls calls;

	LockStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Return the names of all queues that were pushed to and not forgotten.
	 * @return the valid names
	 */
	public List<String> queues() {
		return this.calls.queues();
	}

	/**
	 * Read a page of locks. It is empty if there are no more, or if a scan has found
	 * nothing in many steps.
	 * @param cursor "0", or {@code next} of the previous page
	 * @param size how many locks, about
	 * @throws IllegalArgumentException if no page returned the cursor
	 */
	Page page(String queue, String cursor, int size) {
		Page page = step(queue, cursor, size);
		for (int i = 1; i < MOST_STEPS && page.locks().isEmpty() && !page.next().equals(END); i++) {
			page = step(queue, page.next(), size);
		}
		return page;
	}

	private Page step(String queue, String cursor, int size) {
		if (cursor.startsWith(OF_MUTEXES)) {
			byte[] from = bytes(cursor.substring(OF_MUTEXES.length()));
			List<Object> answer = this.calls.run(holdersCall(queue, "mutexes").add(from).add(size));
			String next = Answers.text(answer, 0);
			return new Page(next.equals(END) ? END : OF_MUTEXES + next, locks(answer));
		}
		if (!OF_LOCKS.matcher(cursor).matches()) {
			throw new IllegalArgumentException("'" + cursor + "' is not a cursor of a page of locks");
		}
		List<Object> answer = this.calls.run(holdersCall(queue, "locks").add(cursor).add(size));
		String next = Answers.text(answer, 0);
		return new Page(next.equals(END) ? OF_MUTEXES : next, locks(answer));
	}

	/**
	 * Find the locks of a digest: at most a lock and a mutex.
	 * @param digest what is locked
	 */
	public List<Lock> ofDigest(String queue, String digest) {
		return locks(this.calls.run(holdersCall(queue, "digest").add(bytes(digest))));
	}

	/**
	 * Find the lock that a job has, waits for, or has lost to another job.
	 * @return the lock, or an empty list
	 */
	public List<Lock> ofJob(String queue, String id) {
		return locks(this.calls.run(holdersCall(queue, "id").add(bytes(id))));
	}

	/**
	 * Find the lock of a job in all queues, in one flush.
	 * @return the lock with its queue, or an empty map
	 */
	public Map<String, List<Lock>> ofJob(String id) {
		Map<String, List<Lock>> found = new LinkedHashMap<>();
		this.calls.runAll(queues(), (queue) -> holdersCall(queue, "id").add(bytes(id))).forEach((queue, answer) -> {
			if (answer.size() > 1) {
				found.put(queue, locks(answer));
			}
		});
		return found;
	}

	/**
	 * Take a lock from a job. Repeating it is harmless.
	 * @param digest what is locked
	 * @param holder the id of the job that has the lock
	 * @return "RELEASED"; "CHANGED" if another job has it; "NOT_LOCKED" if no job has it
	 */
	String release(String queue, String digest, String holder) {
		return this.calls.text(this.calls.to(RELEASE_LOCK, queue).add(bytes(digest)).add(bytes(holder)));
	}

	private ScriptCall holdersCall(String queue, String what) {
		return this.calls.to(HOLDERS, queue).add(what);
	}

	static List<Lock> locks(List<Object> answer) {
		return answer.stream().skip(1).map((fields) -> Lock.of((List<?>) fields)).toList();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * A page of locks.
	 *
	 * @param next where the next page begins, "0" after the last one
	 * @param locks the locks
	 */
	record Page(String next, List<Lock> locks) {

	}

	/**
	 * A lock in Redis, and what its job does at that moment.
	 *
	 * @param digest what is locked
	 * @param kind what the lock keeps away
	 * @param expiry when it no longer counts, in milliseconds since the epoch; 0 for a
	 * mutex
	 * @param holder the id of the job that has the lock
	 * @param place where that job is, or {@code null} if it is gone
	 * @param again whether a duplicate is to run once more
	 * @param waiting ids of jobs that wait for the mutex, at most 100, and 1,000 on a
	 * page
	 */
	record Lock(String digest, LockKind kind, long expiry, String holder, @Nullable QueuePart place, boolean again,
			List<String> waiting) {

		Lock {
			waiting = List.copyOf(waiting);
		}

		private static Lock of(List<?> fields) {
			List<String> waiting = ((List<?>) fields.get(6)).stream().map(Answers::ascii).toList();
			return new Lock(Answers.ascii(fields.get(0)), LockKind.of(Answers.ascii(fields.get(1)).charAt(0)),
					Long.parseLong(Answers.ascii(fields.get(2)), 16), Answers.ascii(fields.get(3)),
					place(Answers.ascii(fields.get(4))), (Long) fields.get(5) == 1, waiting);
		}

		private static @Nullable QueuePart place(String letter) {
			return switch (letter) {
				case "W" -> QueuePart.WORKING;
				case "S" -> QueuePart.SCHEDULED;
				case "T" -> QueuePart.RETRIES;
				case "K" -> QueuePart.PARKED;
				case "D" -> QueuePart.DEAD;
				case "R" -> QueuePart.READY;
				default -> null;
			};
		}

	}

}
