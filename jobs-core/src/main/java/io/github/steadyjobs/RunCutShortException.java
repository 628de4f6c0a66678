package io.github.steadyjobs;

/**
 * Represents the failure of a job whose process ended during the run, if the job must not
 * run again because too many processes have died while running it or because its queue
 * runs each job at most once. Never thrown, but stored with the dead job as the reason
 * for its death.
 */
public class RunCutShortException extends JobException {

	/**
	 * Create an exception.
	 * @param message a description of the event, with host and time
	 */
	public RunCutShortException(String message) {
		super(message);
	}

}
