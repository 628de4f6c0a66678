package io.github.steadyjobs.redis;

/**
 * How Redis took a settlement, which is the end of a job's run.
 */
public enum Settlement {

	/**
	 * It was carried out.
	 */
	DONE,

	/**
	 * The job had been cancelled while it ran, and has ended.
	 */
	CANCELLED,

	/**
	 * It had been carried out before: an earlier answer was lost.
	 */
	ALREADY,

	/**
	 * Another claim holds the job. Nothing was changed.
	 */
	STALE;

	static Settlement of(char letter) {
		return switch (letter) {
			case 'D' -> DONE;
			case 'C' -> CANCELLED;
			case 'A' -> ALREADY;
			case 'S' -> STALE;
			default -> throw new IllegalStateException("A script answered '" + letter + "'");
		};
	}

}
