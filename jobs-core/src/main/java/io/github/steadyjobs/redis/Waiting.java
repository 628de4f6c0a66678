package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreNotReadyException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;

/**
 * Waits for answers, and sends again what may be sent twice. Not for threads of the
 * network.
 */
final class Waiting {

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * How long a call that was sent waits for a connection to be sent on again.
	 */
	private static final long AWAY = TimeUnit.SECONDS.toNanos(5);

	private Waiting() {
	}

	/**
	 * Send a call that may be sent twice, and wait for its answer. It is sent again while
	 * the server takes no calls, and after the connection broke; the first time there has
	 * to be a connection at once.
	 * @param sender sends a copy
	 * @param timeout how long to try, from when the first copy was sent
	 * @throws JobStoreException if there is no answer in time, or none that helps
	 */
	static List<Object> send(Supplier<RedisCall> sender, Duration timeout) {
		RedisCall call = sender.get();
		await(call.sent(), HeldConnection.PATIENCE.multipliedBy(3));
		long deadline = System.nanoTime() + timeout.toNanos();
		// An attempt that has no time to be answered would only raise doubts.
		long latest = deadline - Math.min(timeout.toNanos() / 4, LONGEST_PAUSE);
		long limit = latest;
		boolean doubtful = false;
		for (int attempt = 1;; attempt++) {
			JobStoreException failure;
			try {
				return await(call, deadline);
			}
			catch (JobStoreTimeoutException ex) {
				doubtful = true;
				limit = Math.min(latest - System.nanoTime(), AWAY) + System.nanoTime();
				failure = ex;
			}
			catch (JobStoreNotReadyException ex) {
				limit = latest;
				failure = ex;
			}
			catch (JobStoreUnavailableException ex) {
				limit = (attempt == 1) ? System.nanoTime() : limit;
				failure = ex;
			}
			if (!pause(attempt, limit)) {
				// A copy that was sent may have been carried out.
				throw (doubtful && !(failure instanceof JobStoreTimeoutException)) ? RedisErrors.unanswered(failure)
						: failure;
			}
			call = sender.get();
		}
	}

	/**
	 * Wait a little, longer after each attempt, and never so that many callers come back
	 * together.
	 * @return whether there is time for another attempt
	 */
	private static boolean pause(int attempt, long limit) {
		long longest = Math.min(FIRST_PAUSE << Math.min(attempt - 1, 10), LONGEST_PAUSE);
		long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest);
		if (System.nanoTime() + pause - limit >= 0) {
			return false;
		}
		try {
			TimeUnit.NANOSECONDS.sleep(pause);
			return true;
		}
		catch (InterruptedException ex) {
			if (Interrupts.arePostponed()) {
				return true;
			}
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Wait for an answer, once.
	 * @throws JobStoreException if there is none in time, or the call failed
	 */
	static <T> T await(CompletableFuture<T> answer, Duration timeout) {
		return await(answer, System.nanoTime() + timeout.toNanos());
	}

	/**
	 * Wait for an answer, once.
	 * @param deadline the {@link System#nanoTime()} at which to give up, which may be the
	 * same for many answers
	 * @throws JobStoreException if there is none in time, or the call failed
	 */
	static <T> T await(CompletableFuture<T> answer, long deadline) {
		try {
			return Interrupts.get(answer, Math.max(0, deadline - System.nanoTime()));
		}
		catch (TimeoutException ex) {
			throw RedisErrors.unanswered(ex);
		}
		catch (ExecutionException ex) {
			throw rethrown(RedisErrors.translate(Objects.requireNonNullElse(ex.getCause(), ex)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisErrors.unanswered(ex);
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
