package io.github.steadyjobs.boot;

/**
 * Thrown when jobs cannot be stored in the Redis of any connection factory there is.
 */
final class UnusableConnectionFactoryException extends RuntimeException {

	private final String action;

	/**
	 * Create an exception.
	 * @param problem what is the case
	 * @param action what to type
	 */
	UnusableConnectionFactoryException(String problem, String action) {
		super(problem);
		this.action = action;
	}

	String action() {
		return this.action;
	}

}
