package io.github.steadyjobs.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.UnansweredCall;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an {@link Outbox}, in their order within each lane. Not thread safe: its
 * outbox has the lock.
 */
final class WaitingJobs {

	private static final int MOST_AT_ONCE = 1000;

	private final Map<String, Deque<Waiting>> lanes = new LinkedHashMap<>();

	private int buffered;

	private int limited;

	private long bytes;

	/**
	 * Return how large the payloads of all jobs are together.
	 */
	long bytes() {
		return this.bytes;
	}

	int buffered() {
		return this.buffered;
	}

	/**
	 * Return how many jobs wait for a limited time.
	 */
	int limited() {
		return this.limited;
	}

	boolean has(String lane) {
		return this.lanes.containsKey(lane);
	}

	List<String> lanes() {
		return List.copyOf(this.lanes.keySet());
	}

	void add(Waiting job) {
		this.lanes.computeIfAbsent(job.draft.lane(), (lane) -> new ArrayDeque<>()).add(job);
		count(job, 1);
	}

	private void count(Waiting job, int change) {
		this.bytes += change * job.size();
		if (job.until == null) {
			this.buffered += change;
		}
		else {
			this.limited += change;
		}
	}

	/**
	 * Return what is to be sent next in a lane, all of it by one call.
	 */
	List<Waiting> head(String lane) {
		List<Waiting> batch = new ArrayList<>();
		for (Waiting job : this.lanes.getOrDefault(lane, new ArrayDeque<>())) {
			// An unanswered call is sent again as it was.
			if (batch.size() == MOST_AT_ONCE || (!batch.isEmpty() && batch.get(0).call != job.call)) {
				break;
			}
			batch.add(job);
		}
		return batch;
	}

	/**
	 * Put what is left of the head of a lane in the place of it.
	 * @return the jobs of the lane whose time has passed, which are removed
	 */
	List<Waiting> replace(String lane, List<Waiting> head, List<Waiting> left) {
		Deque<Waiting> jobs = Objects.requireNonNull(this.lanes.get(lane));
		for (Waiting sent : head) {
			jobs.remove();
			count(sent, -1);
		}
		for (int i = left.size() - 1; i >= 0; i--) {
			jobs.addFirst(left.get(i));
			count(left.get(i), 1);
		}
		List<Waiting> over = left.isEmpty() ? List.of() : removeOver(jobs);
		if (jobs.isEmpty()) {
			this.lanes.remove(lane);
		}
		return over;
	}

	private List<Waiting> removeOver(Deque<Waiting> jobs) {
		List<Waiting> over = new ArrayList<>();
		long now = System.nanoTime();
		for (Iterator<Waiting> each = jobs.iterator(); each.hasNext();) {
			Waiting job = each.next();
			if (job.isOver(now)) {
				each.remove();
				count(job, -1);
				over.add(job);
			}
		}
		return over;
	}

	/**
	 * Remove all jobs.
	 * @return the jobs
	 */
	List<Waiting> clear() {
		List<Waiting> left = new ArrayList<>();
		this.lanes.values().forEach(left::addAll);
		this.lanes.clear();
		this.buffered = 0;
		this.bytes = 0;
		this.limited = 0;
		return left;
	}

	/**
	 * A job that waits, or might.
	 */
	static final class Waiting {

		private final JobDraft draft;

		/** The call that may have stored it. */
		private @Nullable UnansweredCall call;

		/** When to give it up, {@code null} for never. */
		private @Nullable Long until;

		Waiting(JobDraft draft, @Nullable UnansweredCall call) {
			this.draft = draft;
			this.call = call;
		}

		JobDraft draft() {
			return this.draft;
		}

		/**
		 * Return how large the payload is, in bytes.
		 */
		long size() {
			return this.draft.payload().length;
		}

		@Nullable UnansweredCall call() {
			return this.call;
		}

		void call(@Nullable UnansweredCall call) {
			this.call = call;
		}

		void until(@Nullable Long until) {
			this.until = until;
		}

		private boolean isOver(long now) {
			return (this.until != null && now - this.until > 0) || (this.call != null && this.call.isTooOld());
		}

		/**
		 * Return whether the job, which was not confirmed, may be stored later, and not
		 * twice.
		 */
		boolean mayPass(Outcome outcome, @Nullable JobStoreException failure) {
			if (this.call != null || outcome == Outcome.NOT_SENT || failure == null) {
				return true;
			}
			Reason reason = failure.reason();
			return outcome == Outcome.REFUSED
					&& (reason == Reason.NOT_READY || reason == Reason.FULL || reason == Reason.KEY_FULL);
		}

	}

}
