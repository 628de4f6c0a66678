package io.github.steadyjobs.support;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import org.assertj.core.api.Condition;

/**
 * Conditions for assertions about the reason why a call to Redis failed.
 */
public final class Reasons {

	private Reasons() {
	}

	/**
	 * Return a condition that an exception of a store has a given reason.
	 */
	public static Condition<Object> reason(Reason reason) {
		return new Condition<>((failure) -> failure instanceof JobStoreException known && known.reason() == reason,
				"reason %s", reason);
	}

}
