package io.github.steadyjobs;

/**
 * A job was not accepted, and the caller asked for an exception in that case: it was
 * stopped by an interceptor or dropped as a duplicate, as its result says.
 */
public class JobNotAcceptedException extends JobException {

	private final transient EnqueueResult result;

	public JobNotAcceptedException(EnqueueResult result) {
		super("Job was not accepted: " + result);
		this.result = result;
	}

	/** Return the result that was not an acceptance. */
	public EnqueueResult result() {
		return this.result;
	}

}
