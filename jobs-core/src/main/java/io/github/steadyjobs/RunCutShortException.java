package io.github.steadyjobs;

/**
 * Represents the failure of a job whose run ended with its process and which must not run
 * again, because too many processes have died while running it or because its queue runs
 * each job at most once. Never thrown; it is stored with the dead job as the reason.
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
