package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job, an interceptor or a {@link RetryDelay} where another attempt cannot
 * help: the job counts as failed for the last time at once, even if it has retries left.
 * <p>
 * Like any other exception it rolls back a transaction that it leaves. It must be thrown
 * itself: as the cause of another exception it has no effect.
 */
public class KillJobException extends JobException {

	public KillJobException(String message) {
		super(message);
	}

	public KillJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
