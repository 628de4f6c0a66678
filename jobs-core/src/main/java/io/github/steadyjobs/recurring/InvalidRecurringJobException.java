package io.github.steadyjobs.recurring;

import io.github.steadyjobs.JobException;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job cannot be as it was asked for, or there is none of that name. Nothing
 * was changed.
 */
public class InvalidRecurringJobException extends JobException {

	private final Reason reason;

	InvalidRecurringJobException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	static void throwUnless(boolean valid, String message, @Nullable Object... arguments) {
		if (!valid) {
			throw new InvalidRecurringJobException(Reason.INVALID, message.formatted(arguments), null);
		}
	}

	/**
	 * Return why it was refused.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Why a recurring job was refused.
	 */
	public enum Reason {

		/** Something about it cannot be so. */
		INVALID,

		/** There is none of that name. */
		UNKNOWN,

		/** There is one of that name. */
		EXISTS,

		/** An annotation declares it, so it cannot be changed or deleted here. */
		DECLARED

	}

}
