package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;

/**
 * Waits for answers of Redis, never for ever.
 */
final class Waits {

	/**
	 * A connection that leaves a call unanswered for longer is of no use.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(5);

	private Waits() {
	}

	/**
	 * Return an answer, waiting for it.
	 * @throws JobStoreTimeoutException if there is none in time
	 * @throws JobStoreException if the call failed
	 */
	static <T> T on(CompletableFuture<T> answer) {
		return on(answer, PATIENCE);
	}

	static <T> T on(CompletableFuture<T> answer, Duration patience) {
		try {
			return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof JobStoreException cause) ? cause
					: new JobStoreException("A call to Redis failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new JobStoreTimeoutException("Redis has not answered for %s".formatted(patience), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new JobStoreTimeoutException("Interrupted while waiting for Redis", ex);
		}
	}

}
