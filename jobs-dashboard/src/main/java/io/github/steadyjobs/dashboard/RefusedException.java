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
	 * @param text what is wrong, for the viewer
	 */
	RefusedException(int status, String text) {
		this(status, text, Address.HOME);
	}

	private RefusedException(int status, String text, String back) {
		// This is expected to happen, so the stack trace is not needed.
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
	 * Refuse a change because its object has changed meanwhile or is in the wrong state.
	 * @param text the reason that a bean gives
	 */
	static RefusedException conflict(String text) {
		return new RefusedException(409, Plain.line(text));
	}

	/** Name the page on which to go on. */
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
