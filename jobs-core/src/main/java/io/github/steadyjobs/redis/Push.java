package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The results of a bulk push. Not thread safe: it belongs to the caller.
 */
public final class Push {

	private final @Nullable Admission[] admissions;

	private final Outcome[] outcomes;

	private final @Nullable UnansweredCall[] unanswered;

	private Durability reached = Durability.STORED;

	private @Nullable JobStoreException failure;

	private @Nullable JobStoreException refusal;

	/** Create a push of so many jobs before anything is sent. */
	public Push(int jobs) {
		this.admissions = new Admission[jobs];
		this.outcomes = new Outcome[jobs];
		this.unanswered = new UnansweredCall[jobs];
		Arrays.fill(this.outcomes, Outcome.NOT_SENT);
	}

	void answered(int from, List<Admission> answer) {
		for (int i = 0; i < answer.size(); i++) {
			Admission admission = answer.get(i);
			if (admission.kind() == Admission.Kind.FULL) {
				this.outcomes[from + i] = Outcome.REFUSED;
				this.refusal = RedisErrors.keyFull();
			}
			else {
				this.admissions[from + i] = admission;
				this.outcomes[from + i] = Outcome.ANSWERED;
			}
		}
	}

	/**
	 * Add the results of some of the jobs.
	 * @param places which jobs they are
	 */
	void take(List<Integer> places, Push part) {
		takeAnswered(places, part);
		this.failure = part.failure;
	}

	/**
	 * Add the results of some of the jobs, but not the failure of others.
	 * @return those that were not sent, or refused because of a new number of shards
	 */
	List<Integer> takeAnswered(List<Integer> places, Push part) {
		List<Integer> others = new ArrayList<>();
		for (int i = 0; i < places.size(); i++) {
			int place = places.get(i);
			this.admissions[place] = part.admissions[i];
			this.outcomes[place] = part.outcomes[i];
			this.unanswered[place] = part.unanswered[i];
			if (part.outcomes[i] == Outcome.NOT_SENT) {
				others.add(place);
			}
			else if (part.outcomes[i] == Outcome.ANSWERED && part.reached.compareTo(this.reached) < 0) {
				this.reached = part.reached;
			}
		}
		this.refusal = (part.refusal != null) ? part.refusal : this.refusal;
		return others;
	}

	/** Return whether a call has failed, so that no more should be sent. */
	boolean isBroken() {
		return this.failure != null;
	}

	void failed(int from, int to, JobStoreException ex) {
		Arrays.fill(this.outcomes, from, to, RedisErrors.outcome(ex));
		// A failure that says that nothing was sent must not hide one that leaves it
		// open.
		this.failure = (this.failure == null || ex instanceof JobStoreTimeoutException) ? ex : this.failure;
	}

	/** Record that a call may have been carried out and can be sent again. */
	void unanswered(int from, UnansweredCall call, JobStoreException ex) {
		int to = from + call.jobs().size();
		failed(from, to, ex);
		Arrays.fill(this.outcomes, from, to, Outcome.DOUBTFUL);
		Arrays.fill(this.unanswered, from, to, call);
	}

	void reached(Durability reached) {
		this.reached = reached;
	}

	/** Return the result of each job, {@code null} where that is not confirmed. */
	public @Nullable Admission[] admissions() {
		return this.admissions;
	}

	/** Return what is known about each job. */
	public Outcome[] outcomes() {
		return this.outcomes;
	}

	/**
	 * Return the call that may have stored a job, if it was not answered and is kept.
	 * @param job which one
	 */
	public @Nullable UnansweredCall unanswered(int job) {
		return this.unanswered[job];
	}

	/** Return the durability that all stored jobs have reached. */
	public Durability reached() {
		return this.reached;
	}

	/** Return why not all jobs are confirmed, or {@code null} if they are. */
	public @Nullable JobStoreException failure() {
		return (this.failure != null) ? this.failure : this.refusal;
	}

}
