package io.github.steadyjobs.recurring;

import io.github.steadyjobs.JobException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a recurring job is refused, for example because it is invalid or unknown.
 * Nothing was changed.
 */
public class InvalidRecurringJobException extends JobException {

	private final Reason reason;

	InvalidRecurringJobException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	/** Return the reason why the recurring job was refused. */
	public Reason reason() {
		return this.reason;
	}

	/** Reasons why a recurring job is refused. */
	public enum Reason {

		/** The definition is invalid. */
		INVALID,

		/** There is no recurring job with that name. */
		UNKNOWN,

		/** There already is a recurring job with that name. */
		EXISTS,

		/**
		 * An annotation declares the recurring job, so {@link RecurringJobs} cannot
		 * change or delete it.
		 */
		DECLARED;

		void unless(boolean valid, String message, @Nullable Object... arguments) {
			if (!valid) {
				throw new InvalidRecurringJobException(this, message.formatted(arguments), null);
			}
		}

	}

}
