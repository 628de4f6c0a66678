package io.github.steadyjobs;

/**
 * Stands for the failure of a job that ended with its process and must not run again: too
 * many processes have died with it, or its queue runs each job at most once. Never
 * thrown; it is the reason that is stored with the dead job.
 */
public class RunCutShortException extends JobException {

	/**
	 * Create an exception.
	 * @param message what happened, with host and time
	 */
	public RunCutShortException(String message) {
		super(message);
	}

}
