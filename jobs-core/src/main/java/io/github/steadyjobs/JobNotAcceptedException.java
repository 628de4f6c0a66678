package io.github.steadyjobs;

/**
 * Thrown, at the caller's request, when a job was not accepted. The result says whether
 * an interceptor stopped the job or the job was dropped as a duplicate.
 */
public class JobNotAcceptedException extends JobException {

	private final transient EnqueueResult result;

	public JobNotAcceptedException(EnqueueResult result) {
		super("Job was not accepted: " + result);
		this.result = result;
	}

	/** Return the result of the request. */
	public EnqueueResult result() {
		return this.result;
	}

}
