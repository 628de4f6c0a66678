package io.github.steadyjobs;

/**
 * Thrown when a job is stored less safely than the caller required. The job was still
 * accepted and will run unless it is lost; enqueueing it again makes it run twice.
 */
public class JobNotDurableException extends JobException {

	private final transient EnqueueResult result;

	public JobNotDurableException(EnqueueResult result, Durability wanted) {
		super("Job %s should be %s but %s".formatted(result.id(), wanted, reached(result)));
		this.result = result;
	}

	private static String reached(EnqueueResult result) {
		if (result instanceof EnqueueResult.Buffered) {
			return "waits in memory until Redis is available. It will be stored then, unless this process dies.";
		}
		if (result.durability() == null) {
			return "is not stored before the transaction commits. "
					+ "Store it at once with JobRequest.beforeCommit() to learn what it reaches.";
		}
		return "is %s. It will run all the same, unless the primary is lost before a replica has it."
			.formatted(result.durability());
	}

	/** Return the result, which says which durability the job reached. */
	public EnqueueResult result() {
		return this.result;
	}

}
