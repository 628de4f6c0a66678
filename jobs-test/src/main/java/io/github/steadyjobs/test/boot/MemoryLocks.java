package io.github.steadyjobs.test.boot;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the jobs in memory, with the same rules as in the scripts that run in
 * Redis. A mutex keeps no job waiting here, because only one job runs at a time.
 */
final class MemoryLocks {

	private final Map<String, Owner> owners = new HashMap<>();

	/** Duplicates that run once more after the job that has their lock. */
	private final Map<String, Duplicate> again = new HashMap<>();

	/** The locks of jobs, including jobs that have lost their lock to another job. */
	private final Map<String, Lock> locks = new HashMap<>();

	/**
	 * Decide whether a job is stored, and give it its lock if so.
	 * @param due when the job is due, {@code null} for now
	 */
	Admission admit(String queue, NewJob job, @Nullable Long due, long now, Jobs jobs) {
		Lock lock = Lock.read(job.lock());
		if (lock == null) {
			return new Admission(Kind.STORED, "");
		}
		Owner owner = lock.keepsOut() ? this.owners.get(lock.digest()) : null;
		Kind kind = (owner != null && !owner.id().equals(job.id())) ? ask(lock, owner, now, jobs) : Kind.STORED;
		boolean oneMore = kind == Kind.RUNS_ONCE_MORE
				|| ((kind == Kind.STORED_FOR_LOST || kind == Kind.STORED_AFTER_EXPIRY)
						&& this.again.containsKey(lock.digest()));
		if (oneMore && due != null) {
			// The duplicate that is to run after the holder must not wait until this job
			// is due, so this job is stored without the lock.
			this.locks.put(job.id(), lock);
			return new Admission(Kind.STORED, "");
		}
		if (owner != null && (kind == Kind.DUPLICATE || kind == Kind.RUNS_ONCE_MORE)) {
			this.locks.computeIfPresent(owner.id(), (id, held) -> held.raised(lock.positions()));
			if (kind == Kind.RUNS_ONCE_MORE) {
				this.again.put(lock.digest(), new Duplicate(queue, job, lock));
			}
			return new Admission(kind, owner.id());
		}
		if (owner != null && kind != Kind.STORED) {
			Lock lost = this.locks.get(owner.id());
			this.locks.put(job.id(), (lost != null) ? lock.raised(lost.positions()) : lock);
			this.again.remove(lock.digest());
		}
		else {
			this.locks.put(job.id(), lock);
		}
		if (lock.keepsOut()) {
			own(job.id(), lock, (due != null) ? due : now);
		}
		return new Admission(kind, "");
	}

	private static Kind ask(Lock lock, Owner owner, long now, Jobs jobs) {
		if (owner.kind() != LockKind.WITHIN && !jobs.isThere(owner.id())) {
			return Kind.STORED_FOR_LOST;
		}
		if (owner.expiry() <= now) {
			return (owner.kind() == LockKind.WITHIN) ? Kind.STORED : Kind.STORED_AFTER_EXPIRY;
		}
		return (lock.kind() == LockKind.UNTIL_EXECUTED_AND_ONCE_MORE && isUntilExecuted(owner.kind())
				&& jobs.isRunning(owner.id())) ? Kind.RUNS_ONCE_MORE : Kind.DUPLICATE;
	}

	private static boolean isUntilExecuted(LockKind kind) {
		return kind == LockKind.UNTIL_EXECUTED || kind == LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
	}

	private void own(String id, Lock lock, long from) {
		this.owners.put(lock.digest(), new Owner(id, from + lock.ttl(), lock.kind()));
	}

	/**
	 * Return how recent the data that a job sees must be, empty if that does not matter.
	 */
	String positions(String id) {
		Lock lock = this.locks.get(id);
		return (lock != null) ? lock.positions() : "";
	}

	/** End the lock of a job that keeps out duplicates only until it begins. */
	void begun(String id) {
		Lock lock = this.locks.get(id);
		if (lock != null && lock.kind() == LockKind.UNTIL_EXECUTING && owns(id, lock)) {
			this.owners.remove(lock.digest());
		}
	}

	/**
	 * Keep the lock of a job that runs again. The lock expires when its TTL has passed
	 * since the due time.
	 */
	void kept(String id, long due) {
		Lock lock = this.locks.get(id);
		if (lock != null && isUntilExecuted(lock.kind()) && owns(id, lock)) {
			own(id, lock, due);
		}
	}

	/**
	 * End the locks of a job that has ended.
	 * @param unrun whether the job has never run; if so, even a lock that lasts for a
	 * period of time ends
	 * @return a duplicate that runs once more, if there is one
	 */
	@Nullable Duplicate ended(String id, boolean unrun) {
		Lock lock = this.locks.remove(id);
		if (lock == null || !lock.keepsOut()) {
			return null;
		}
		boolean owns = owns(id, lock);
		if (owns && (lock.kind() != LockKind.WITHIN || unrun)) {
			this.owners.remove(lock.digest());
		}
		return (owns || !this.owners.containsKey(lock.digest())) ? this.again.remove(lock.digest()) : null;
	}

	/** Give the lock to a duplicate that runs once more. */
	void again(Duplicate duplicate, String positions, long now) {
		Lock lock = duplicate.lock().raised(positions);
		this.locks.put(duplicate.job().id(), lock);
		own(duplicate.job().id(), lock, now);
	}

	private boolean owns(String id, Lock lock) {
		Owner owner = this.owners.get(lock.digest());
		return owner != null && owner.id().equals(id);
	}

	/** Answers questions about the jobs that have locks. */
	interface Jobs {

		boolean isThere(String id);

		boolean isRunning(String id);

	}

	/**
	 * A duplicate that runs once more.
	 */
	record Duplicate(String queue, NewJob job, Lock lock) {

	}

	private record Owner(String id, long expiry, LockKind kind) {

	}

	/**
	 * A lock in the form that the client writes.
	 *
	 * @param ttl the time to live, in milliseconds
	 * @param positions how recent the data must be, empty if that does not matter
	 */
	record Lock(LockKind kind, long ttl, String digest, String positions) {

		static @Nullable Lock read(String lock) {
			if (lock.isEmpty()) {
				return null;
			}
			String[] parts = lock.split(" ");
			return new Lock(LockKind.of(lock), Long.parseLong(parts[0].substring(1), 16), parts[1],
					(parts.length > 2) ? parts[2] : "");
		}

		boolean keepsOut() {
			return this.kind != LockKind.WHILE_EXECUTING && this.kind != LockKind.NONE;
		}

		/** Return the lock with the newest position of each source. */
		Lock raised(String others) {
			if (others.isEmpty()) {
				return this;
			}
			Map<String, String> newest = new TreeMap<>();
			for (String position : (this.positions + ";" + others).split(";")) {
				int end = position.indexOf('=');
				if (end > 0) {
					newest.merge(position.substring(0, end), position.substring(end + 1),
							(one, other) -> (one.compareTo(other) < 0) ? other : one);
				}
			}
			String joined = String.join(";",
					newest.entrySet().stream().map((each) -> each.getKey() + "=" + each.getValue()).toList());
			return new Lock(this.kind, this.ttl, this.digest, joined);
		}

	}

}
