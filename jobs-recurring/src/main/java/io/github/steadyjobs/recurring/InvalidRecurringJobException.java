package io.github.steadyjobs.recurring;

import io.github.steadyjobs.JobException;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job is invalid, or there is no recurring job of that name. Nothing was
 * changed.
 */
public class InvalidRecurringJobException extends JobException {

	private final Reason reason;

	InvalidRecurringJobException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	/** Return why it was refused. */
	public Reason reason() {
		return this.reason;
	}

	/** Why a recurring job was refused. */
	public enum Reason {

		/** Its definition is invalid. */
		INVALID,

		/** There is no recurring job of that name. */
		UNKNOWN,

		/** There is a recurring job of that name already. */
		EXISTS,

		/** An annotation declares it, so it cannot be changed or deleted here. */
		DECLARED;

		void unless(boolean valid, String message, @Nullable Object... arguments) {
			if (!valid) {
				throw new InvalidRecurringJobException(this, message.formatted(arguments), null);
			}
		}

	}

}
