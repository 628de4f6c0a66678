package io.github.steadyjobs.boot;

/**
 * Thrown when no connection factory of the application can be used for jobs.
 */
final class UnusableConnectionFactoryException extends RuntimeException {

	private final String action;

	UnusableConnectionFactoryException(String problem, String action) {
		super(problem);
		this.action = action;
	}

	String action() {
		return this.action;
	}

}
