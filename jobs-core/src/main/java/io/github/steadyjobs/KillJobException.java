package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job, an interceptor or a {@link RetryDelay} when another attempt would not
 * help: the job immediately counts as failed for the last time, even if it has retries
 * left.
 * <p>
 * Like any other exception, it rolls back a transaction that it propagates out of. It
 * must be thrown directly: as the cause of another exception it has no effect.
 */
public class KillJobException extends JobException {

	public KillJobException(String message) {
		super(message);
	}

	public KillJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
