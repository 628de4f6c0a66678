package io.github.steadyjobs.ordered;

import io.github.steadyjobs.JobStoreException;

/**
 * The queue has another number of shards by now, and nothing was stored.
 */
public final class MovedException extends JobStoreException {

	private static final String ANSWER = "MOVED ";

	private final int version;

	/**
	 * Read the answer of a script that was given the version by which a shard was chosen.
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
