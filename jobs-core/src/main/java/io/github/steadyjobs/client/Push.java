package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.ordered.MovedException;
import io.github.steadyjobs.redis.RedisErrors;
import org.jspecify.annotations.Nullable;

/**
 * The results of a bulk push. Not thread safe: it belongs to the caller.
 */
public final class Push {

	private final @Nullable Admission[] admissions;

	private final Outcome[] outcomes;

	private final @Nullable EnqueueCall[] unanswered;

	private Durability reached = Durability.STORED;

	private @Nullable JobStoreException failure;

	/** The reason for the refusal of jobs whose keys are full. */
	private @Nullable JobStoreException refusal;

	/** The jobs that were refused for this reason. */
	private @Nullable BitSet full;

	/** Create a push of the given number of jobs, none of which has been sent. */
	Push(int jobs) {
		this.admissions = new Admission[jobs];
		this.outcomes = new Outcome[jobs];
		this.unanswered = new EnqueueCall[jobs];
		Arrays.fill(this.outcomes, Outcome.NOT_SENT);
	}

	/** Return a push in which all jobs have answers and the given durability. */
	public static Push of(List<Admission> answers, Durability reached) {
		Push push = new Push(answers.size());
		push.reached(reached);
		push.answered(0, answers);
		return push;
	}

	/**
	 * Send a kept call again.
	 * @return the results of the call's jobs. If these results are still unknown, the
	 * push lists the call as unanswered.
	 */
	static Push repeat(EnqueueCall kept) {
		Push push = new Push(kept.jobs().size());
		try {
			push.answered(0, kept.repeat());
		}
		catch (RuntimeException ex) {
			JobStoreException failure = RedisErrors.translate(ex);
			boolean open = switch (failure.reason()) {
				// An earlier copy of the call may have reached Redis even if this copy
				// did not. A delayed copy may also find free memory that this copy did
				// not find.
				case UNREACHABLE, UNANSWERED, NOT_READY, FULL -> true;
				case REFUSED, KEY_FULL, DAMAGED -> false;
			};
			if (open) {
				push.unanswered(0, kept, failure);
			}
			else {
				push.failed(0, kept.jobs().size(), failure);
			}
		}
		return push;
	}

	void answered(int from, List<Admission> answer) {
		for (int i = 0; i < answer.size(); i++) {
			Admission admission = answer.get(i);
			if (admission.kind() == Admission.Kind.FULL) {
				this.outcomes[from + i] = Outcome.REFUSED;
				keyFull(from + i);
			}
			else {
				this.admissions[from + i] = admission;
				this.outcomes[from + i] = Outcome.ANSWERED;
			}
		}
	}

	private void keyFull(int job) {
		if (this.full == null) {
			this.full = new BitSet();
			this.refusal = RedisErrors.keyFull();
		}
		this.full.set(job);
	}

	private boolean isKeyFull(int job) {
		return this.full != null && this.full.get(job);
	}

	/**
	 * Add the results of some of the jobs.
	 * @param places the indexes of these jobs
	 */
	void take(List<Integer> places, Push part) {
		takeAnswered(places, part);
		this.failure = part.failure;
	}

	/**
	 * Add the results of some of the jobs, but not the failures of the other jobs.
	 * @return the indexes of the jobs that were not sent, or were refused because the
	 * number of shards has changed
	 */
	List<Integer> takeAnswered(List<Integer> places, Push part) {
		List<Integer> others = new ArrayList<>();
		for (int i = 0; i < places.size(); i++) {
			int place = places.get(i);
			this.admissions[place] = part.admissions[i];
			this.outcomes[place] = part.outcomes[i];
			this.unanswered[place] = part.unanswered[i];
			if (part.isKeyFull(i)) {
				keyFull(place);
			}
			if (part.outcomes[i] == Outcome.NOT_SENT) {
				others.add(place);
			}
			else if (part.outcomes[i] == Outcome.ANSWERED && part.reached.compareTo(this.reached) < 0) {
				this.reached = part.reached;
			}
		}
		return others;
	}

	/** Return whether a call has failed, so that no more calls should be sent. */
	boolean isBroken() {
		return this.failure != null;
	}

	void failed(int from, int to, JobStoreException ex) {
		Arrays.fill(this.outcomes, from, to, outcome(ex));
		// A failure that happened before sending must not hide a failure after which jobs
		// may be stored.
		this.failure = (this.failure == null || ex instanceof JobStoreTimeoutException) ? ex : this.failure;
	}

	/** Return the outcome of a job whose call failed. */
	private static Outcome outcome(JobStoreException failure) {
		Throwable cause = failure.getCause();
		if (failure instanceof JobStoreTimeoutException || (cause != null && RedisErrors.isDenied(cause))) {
			return Outcome.DOUBTFUL;
		}
		boolean untouched = failure.reason() == Reason.UNREACHABLE || failure instanceof MovedException;
		return untouched ? Outcome.NOT_SENT : Outcome.REFUSED;
	}

	/** Record that a call may have been executed and can be sent again. */
	void unanswered(int from, EnqueueCall call, JobStoreException ex) {
		int to = from + call.jobs().size();
		failed(from, to, ex);
		Arrays.fill(this.outcomes, from, to, Outcome.DOUBTFUL);
		Arrays.fill(this.unanswered, from, to, call);
	}

	void reached(Durability reached) {
		this.reached = reached;
	}

	/** Return the result of each job; {@code null} for each unconfirmed job. */
	public @Nullable Admission[] admissions() {
		return this.admissions;
	}

	/** Return the outcome of each job, as far as it is known. */
	Outcome[] outcomes() {
		return this.outcomes;
	}

	/**
	 * Return the call that may have stored a job, if the call was not answered and is
	 * kept.
	 * @param job the index of the job
	 */
	@Nullable EnqueueCall unanswered(int job) {
		return this.unanswered[job];
	}

	/** Return the durability that all stored jobs have reached. */
	Durability reached() {
		return this.reached;
	}

	/** Return the reason why some jobs are not confirmed, {@code null} if all are. */
	@Nullable JobStoreException failure() {
		return (this.failure != null) ? this.failure : this.refusal;
	}

	/**
	 * Return the reason why a job is not confirmed.
	 * @param job the index of the job
	 */
	@Nullable JobStoreException reason(int job) {
		return isKeyFull(job) ? this.refusal : this.failure;
	}

}
