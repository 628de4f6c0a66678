package io.github.steadyjobs.support;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import org.assertj.core.api.Condition;

/**
 * Why Redis gave no answer that helps, for assertions.
 */
public final class Reasons {

	private Reasons() {
	}

	/**
	 * An exception of a store has a reason.
	 */
	public static Condition<Object> reason(Reason reason) {
		return new Condition<>((failure) -> failure instanceof JobStoreException known && known.reason() == reason,
				"reason %s", reason);
	}

}
