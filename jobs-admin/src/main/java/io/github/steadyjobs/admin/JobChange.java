package io.github.steadyjobs.admin;

/**
 * The result of a change to a job.
 *
 * @param outcome whether the change was made, or why not
 * @param message the outcome in words
 */
public record JobChange(Outcome outcome, String message) {

	/** Return whether the change was made. */
	public boolean isDone() {
		return this.outcome == Outcome.DONE;
	}

	/** Whether a change was made, or why not. */
	public enum Outcome {

		/** The change was made. */
		DONE,

		/** There is no such job, or it has ended. */
		GONE,

		/** The job is running, so it must not be changed. */
		RUNNING,

		/** Another operator or a worker changed or moved the job in the meantime. */
		CHANGED,

		/** Another job has the lock that the job would need. */
		LOCKED,

		/** The state of the job does not allow this change. */
		REFUSED

	}

}
