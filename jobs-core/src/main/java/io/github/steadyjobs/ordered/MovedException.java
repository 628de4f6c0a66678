package io.github.steadyjobs.ordered;

import io.github.steadyjobs.JobStoreException;

/** Thrown when the number of shards of a queue has changed. Nothing was stored. */
public final class MovedException extends JobStoreException {

	private static final String ANSWER = "MOVED ";

	private final int version;

	/**
	 * Throw this exception if the answer of a script says that the number of shards has
	 * changed. The script must have received the version of the shard count with which
	 * the caller chose the shard.
	 */
	public static void throwIf(String answer) {
		if (answer.startsWith(ANSWER)) {
			throw new MovedException(Integer.parseInt(answer.substring(ANSWER.length())));
		}
	}

	private MovedException(int version) {
		super("The number of shards of the queue is being changed; nothing was stored");
		this.version = version;
	}

	public int version() {
		return this.version;
	}

}
