package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls.Slot;
import io.github.steadyjobs.redis.ScriptCall;
import org.jspecify.annotations.Nullable;

/** A place where jobs are stored, and the way to store them there. */
sealed interface Destination {

	/** Return the name of the queue or of the part of a queue. */
	String name();

	/**
	 * Return whether the jobs of a push must be stored in order even if a call has to be
	 * sent again. If so, a call is sent only after the call before it has been answered.
	 */
	boolean keepsOrder();

	/**
	 * Write a call that stores jobs.
	 * @param passed the milliseconds since the jobs were handed to the store
	 */
	ScriptCall write(Slot slot, List<NewJob> jobs, long passed);

	private static void addDelay(ScriptCall call, NewJob job, long passed) {
		Long delay = job.delay();
		if (delay != null && delay > passed) {
			call.add(delay - passed);
		}
		else {
			call.add("");
		}
	}

	/** A queue of unordered jobs. */
	record Queue(String name) implements Destination {

		static final JobScript ENQUEUE = JobScript.of(Destination.class, "enqueue");

		@Override
		public boolean keepsOrder() {
			return false;
		}

		@Override
		public ScriptCall write(Slot slot, List<NewJob> jobs, long passed) {
			ScriptCall call = slot.begin(ENQUEUE, this.name).add(jobs.size());
			boolean delayed = false;
			boolean locked = false;
			boolean expiring = false;
			for (NewJob job : jobs) {
				call.add(job.id()).add(job.payload());
				delayed |= job.delay() != null;
				locked |= !job.lock().isEmpty();
				expiring |= job.expiry() != null;
			}
			String head = (locked && !delayed && !expiring) ? commonHead(jobs) : null;
			if (head != null) {
				call.add(head.substring(0, head.length() - 1));
				jobs.forEach((job) -> call.add(job.lock().substring(head.length())));
			}
			else if (delayed || locked || expiring) {
				addLocks(call, jobs, delayed || expiring, expiring, passed);
			}
			return call;
		}

		/**
		 * Return the text with which the locks of several jobs begin, up to the digest.
		 * @return {@code null} if the locks have different kinds or times to live, or if
		 * any job has no lock, or has positions after its lock
		 */
		private static @Nullable String commonHead(List<NewJob> jobs) {
			String first = jobs.get(0).lock();
			String head = first.substring(0, first.indexOf(' ') + 1);
			if (jobs.size() == 1 || head.isEmpty()) {
				return null;
			}
			for (NewJob job : jobs) {
				if (!job.lock().startsWith(head) || job.lock().indexOf(' ', head.length()) >= 0) {
					return null;
				}
			}
			return head;
		}

		private static void addLocks(ScriptCall call, List<NewJob> jobs, boolean delayed, boolean expiring,
				long passed) {
			for (NewJob job : jobs) {
				if (expiring) {
					call.add((job.expiry() != null) ? job.expiry().after(passed) : "");
				}
				if (delayed) {
					addDelay(call, job, passed);
				}
				call.add(job.lock());
			}
		}

	}

	/**
	 * A shard of ordered jobs.
	 *
	 * @param version the version of the shard count with which the shard was chosen
	 * @param limit the maximum number of payloads that wait for a key
	 */
	record Shard(String name, int version, int limit) implements Destination {

		static final JobScript GATHER = JobScript.of(Destination.class, "gather");

		@Override
		public boolean keepsOrder() {
			return true;
		}

		@Override
		public ScriptCall write(Slot slot, List<NewJob> jobs, long passed) {
			ScriptCall call = slot.begin(GATHER, this.name).add(jobs.size()).add(this.version).add(this.limit);
			for (NewJob job : jobs) {
				call.add(job.id()).add(job.payload());
				addDelay(call, job, passed);
			}
			return call;
		}

	}

}
