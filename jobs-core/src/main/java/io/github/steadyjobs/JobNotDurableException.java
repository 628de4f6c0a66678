package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a job is stored less safely than the caller required. The job was still
 * accepted and will run unless it is lost; enqueueing it again makes it run twice.
 */
public class JobNotDurableException extends JobException {

	private final transient EnqueueResult result;

	public JobNotDurableException(EnqueueResult result, Durability wanted) {
		super("Job %s should be %s but %s. %s".formatted(result.id(), wanted, reached(result.durability()),
				advice(result.durability())));
		this.result = result;
	}

	private static String reached(@Nullable Durability reached) {
		return (reached != null) ? "is " + reached : "is not stored before the transaction commits";
	}

	private static String advice(@Nullable Durability reached) {
		return (reached != null) ? "It will run all the same, unless the primary is lost before a replica has it."
				: "Store it at once with JobRequest.beforeCommit() to learn what it reaches.";
	}

	/** Return the result, which says which durability the job reached. */
	public EnqueueResult result() {
		return this.result;
	}

}
