package io.github.steadyjobs.boot;

/**
 * The endpoint refuses a request. The message is the answer.
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
	 * The present state does not allow it.
	 * @param reason the obstacle, in capital letters
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
