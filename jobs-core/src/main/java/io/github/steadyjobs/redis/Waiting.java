package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
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
import io.lettuce.core.api.StatefulConnection;

/**
 * Waits for answers, and does not go on waiting when the connection has gone meanwhile.
 */
final class Waiting {

	private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * How long a call that was sent waits for a connection to be sent on again.
	 */
	private static final long AWAY = TimeUnit.SECONDS.toNanos(5);

	private Waiting() {
	}

	/**
	 * Wait for the answer to a call that may be sent twice. It is sent again while the
	 * server takes no calls, and after the connection broke; the first time there has to
	 * be a connection at once.
	 */
	static <T> T forAnswer(Supplier<CompletableFuture<T>> call, HeldConnection held, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		// An attempt that has no time to be answered would only raise doubts.
		long latest = deadline - Math.min(timeout.toNanos() / 4, LONGEST_PAUSE);
		long limit = latest;
		boolean doubtful = false;
		for (int attempt = 1;; attempt++) {
			try {
				return forAnswer(call.get(), held, deadline);
			}
			catch (JobStoreTimeoutException ex) {
				doubtful = true;
				limit = Math.min(latest - System.nanoTime(), AWAY) + System.nanoTime();
				if (!pause(attempt, latest)) {
					throw ex;
				}
			}
			catch (JobStoreNotReadyException ex) {
				limit = latest;
				if (!pause(attempt, latest)) {
					throw doubtful ? RedisErrors.unanswered(ex) : ex;
				}
			}
			catch (JobStoreUnavailableException ex) {
				if (attempt == 1 || !pause(attempt, limit)) {
					// A copy that was sent may have been carried out.
					throw doubtful ? RedisErrors.unanswered(ex) : ex;
				}
			}
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

	private static <T> T forAnswer(CompletableFuture<T> answer, HeldConnection held, long deadline) {
		StatefulConnection<byte[], byte[]> connection = held.present();
		while (true) {
			try {
				long left = deadline - System.nanoTime();
				return Interrupts.get(answer, Math.max(0, Math.min(left, SLICE)));
			}
			catch (TimeoutException ex) {
				if (System.nanoTime() - deadline >= 0) {
					// The client may have been told to wait for ever, and the connection
					// may be dead without knowing it.
					if (connection != null) {
						held.discard(connection);
					}
					throw RedisErrors.unanswered(ex);
				}
				if (!held.isOpen()) {
					held.discard();
				}
			}
			catch (ExecutionException ex) {
				throw rethrown(RedisErrors.translate(Objects.requireNonNullElse(ex.getCause(), ex)));
			}
			catch (CancellationException ex) {
				// What becomes of calls that are under way when their connection is
				// closed.
				throw RedisErrors.unanswered(ex);
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
