package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job, an interceptor or a {@link RetryDelay} to discard the job: it does not
 * run again, and it is not kept as dead. Listeners are notified that it
 * {@linkplain JobListener#failed failed}, but not that it died, and its
 * {@link RetriesExhausted} method is not called. Counted as
 * {@linkplain JobOutcome#DISCARDED discarded}.
 * <p>
 * Like any other exception, it rolls back a transaction that it propagates out of. It
 * must be thrown directly: as the cause of another exception it has no effect.
 */
public class DiscardJobException extends JobException {

	public DiscardJobException(String message) {
		super(message);
	}

	public DiscardJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
