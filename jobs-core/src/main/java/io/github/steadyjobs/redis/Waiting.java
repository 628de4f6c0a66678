package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;

/**
 * Waits for answers, and does not go on waiting when the connection has gone meanwhile.
 */
final class Waiting {

	private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(250);

	private Waiting() {
	}

	/**
	 * Wait for the answer to a call that may be sent twice, and send it a second time if
	 * the connection broke.
	 */
	static <T> T forAnswer(Supplier<CompletableFuture<T>> call, HeldConnection held, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		try {
			return forAnswer(call.get(), held, deadline);
		}
		catch (JobStoreTimeoutException ex) {
			if (System.nanoTime() >= deadline || Thread.currentThread().isInterrupted()) {
				throw ex;
			}
		}
		try {
			return forAnswer(call.get(), held, deadline);
		}
		catch (JobStoreUnavailableException ex) {
			// The first copy was sent, so it would be wrong to say that nothing was.
			throw RedisErrors.unanswered(ex);
		}
	}

	private static <T> T forAnswer(CompletableFuture<T> answer, HeldConnection held, long deadline) {
		while (true) {
			try {
				long left = deadline - System.nanoTime();
				return answer.get(Math.max(0, Math.min(left, SLICE)), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (System.nanoTime() >= deadline) {
					throw RedisErrors.unanswered(ex);
				}
				if (!held.isOpen()) {
					held.discard();
				}
			}
			catch (ExecutionException ex) {
				throw rethrown(RedisErrors.translate(Objects.requireNonNullElse(ex.getCause(), ex)));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw RedisErrors.unanswered(ex);
			}
		}
	}

	/**
	 * Let the exception show where the caller stood, not a thread of the network.
	 */
	private static JobStoreException rethrown(JobStoreException failure) {
		failure.setStackTrace(new Throwable().getStackTrace());
		return failure;
	}

}
