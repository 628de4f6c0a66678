package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls.Slot;
import io.github.steadyjobs.redis.ScriptCall;

/** A place where jobs are stored, and the way to store them there. */
sealed interface Destination {

	/** Return the name of the queue or of the part of a queue. */
	String name();

	/** Return the maximum number of jobs with the same id in one call. */
	int mostOfAnId();

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
		public int mostOfAnId() {
			return Integer.MAX_VALUE;
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
			if (delayed || locked || expiring) {
				addLocks(call, jobs, delayed || expiring, expiring, passed);
			}
			return call;
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
	 */
	record Shard(String name, int version) implements Destination {

		static final JobScript GATHER = JobScript.of(Destination.class, "gather");

		/**
		 * Limited, because Redis merges the payloads of one key into the waiting payloads
		 * in sorted order, and executes no other command during the merge.
		 */
		@Override
		public int mostOfAnId() {
			return 100;
		}

		@Override
		public ScriptCall write(Slot slot, List<NewJob> jobs, long passed) {
			ScriptCall call = slot.begin(GATHER, this.name).add(jobs.size()).add(this.version);
			for (NewJob job : jobs) {
				call.add(job.id()).add(job.payload());
				addDelay(call, job, passed);
			}
			return call;
		}

	}

}
