package io.github.steadyjobs.embedded;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an embedded Redis cannot be started. In this case, no server is left
 * running.
 *
 * @since 1.0.0
 */
public final class EmbeddedRedisException extends RuntimeException {

	private final Reason reason;

	private final String subject;

	EmbeddedRedisException(String message, @Nullable Throwable cause) {
		this(Reason.OTHER, "", message, cause);
	}

	EmbeddedRedisException(Reason reason, String subject, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
		this.subject = subject;
	}

	Reason reason() {
		return this.reason;
	}

	/**
	 * Return the subject of the failure.
	 * @return the platform, the executable or the port, depending on the reason
	 */
	String subject() {
		return this.subject;
	}

	/**
	 * The reason why the server could not be started, which determines the advice.
	 */
	enum Reason {

		NO_EXECUTABLE, UNUSABLE_EXECUTABLE, PORT_IN_USE, OTHER

	}

}
