package io.github.steadyjobs.boot;

/**
 * Thrown when the endpoint refuses a request. The message is sent as the answer.
 */
final class OperationRefusedException extends RuntimeException {

	private final int status;

	private final String reason;

	private OperationRefusedException(int status, String reason, String message) {
		super(message);
		this.status = status;
		this.reason = reason;
	}

	static OperationRefusedException badRequest(String message) {
		return new OperationRefusedException(400, "BAD_REQUEST", message);
	}

	static OperationRefusedException notFound(String message) {
		return new OperationRefusedException(404, "NOT_FOUND", message);
	}

	/**
	 * Create an exception for an operation that the current state does not allow.
	 * @param reason a code for the obstacle, in capital letters, such as {@code RUNNING}
	 */
	static OperationRefusedException conflict(String reason, String message) {
		return new OperationRefusedException(409, reason, message);
	}

	int status() {
		return this.status;
	}

	String reason() {
		return this.reason;
	}

}
