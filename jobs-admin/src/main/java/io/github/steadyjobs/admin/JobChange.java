package io.github.steadyjobs.admin;

/**
 * The result of a change to a job.
 *
 * @param outcome whether it was carried out, or why not
 * @param message the outcome in words
 */
public record JobChange(Outcome outcome, String message) {

	/** Return whether the change was carried out. */
	public boolean isDone() {
		return this.outcome == Outcome.DONE;
	}

	/** Whether a change was carried out. */
	public enum Outcome {

		/** The change was carried out. */
		DONE,

		/** There is no such job, or it has ended. */
		GONE,

		/** The job is running, so it must not be changed. */
		RUNNING,

		/** Another operator or a worker has changed or moved the job meanwhile. */
		CHANGED,

		/** Another job has the lock that the job would need. */
		LOCKED,

		/** The state of the job does not allow this change. */
		REFUSED

	}

}
