package io.github.steadyjobs.dashboard;

/**
 * Thrown if a request cannot be answered. The viewer gets a page with the message.
 */
final class RefusedException extends RuntimeException {

	private final int status;

	private final String text;

	private final String back;

	/**
	 * Create an exception.
	 * @param status the HTTP status
	 * @param text a description of the problem, for the viewer
	 */
	RefusedException(int status, String text) {
		this(status, text, Address.HOME);
	}

	private RefusedException(int status, String text, String back) {
		// Refusals are normal, so no stack trace is needed.
		super(text, null, false, false);
		this.status = status;
		this.text = text;
		this.back = back;
	}

	static RefusedException badRequest(String key, Object... arguments) {
		return new RefusedException(400, Words.of(key, arguments));
	}

	static RefusedException forbidden(String key, Object... arguments) {
		return new RefusedException(403, Words.of(key, arguments));
	}

	static RefusedException notFound(String key, Object... arguments) {
		return new RefusedException(404, Words.of(key, arguments));
	}

	/**
	 * Refuse a change because its object has since changed or is in the wrong state.
	 * @param text the reason that a bean gives
	 */
	static RefusedException conflict(String text) {
		return new RefusedException(409, Plain.line(text));
	}

	/** Set the address of the page on which the viewer can continue. */
	RefusedException backTo(String address) {
		return new RefusedException(this.status, this.text, address);
	}

	int status() {
		return this.status;
	}

	String text() {
		return this.text;
	}

	String back() {
		return this.back;
	}

}
