package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;

/**
 * Retries calls that may be sent more than once. Must not be used on network threads,
 * because its methods block.
 */
final class Attempts {

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/** How long the first copy of a call waits for a connection. */
	private static final Duration UNSENT = HeldConnection.PATIENCE.multipliedBy(3);

	/** How long a call that has been sent once waits for a new connection. */
	private static final long AWAY = TimeUnit.SECONDS.toNanos(5);

	private Attempts() {
	}

	/**
	 * Send a call that may be sent more than once, and wait for its answer. The first
	 * attempt fails if no connection is available within a few seconds. The call is sent
	 * again if the connection breaks, and while the server temporarily accepts no calls.
	 * @param sender sends a copy of the call
	 * @param timeout how long to try, counted from when the first copy was sent
	 * @throws JobStoreException if no usable answer arrives in time
	 */
	static List<Object> ask(Supplier<RedisCall> sender, Duration timeout) {
		RedisCall call = sender.get();
		Answers.await(call.sent(), UNSENT);
		long deadline = System.nanoTime() + timeout.toNanos();
		// An attempt that leaves no time for an answer would only make the result
		// unknown.
		long latest = deadline - Math.min(timeout.toNanos() / 4, LONGEST_PAUSE);
		long limit = latest;
		boolean doubtful = false;
		for (int attempt = 1;; attempt++) {
			JobStoreException failure;
			try {
				return Answers.await(call, deadline);
			}
			catch (JobStoreTimeoutException ex) {
				doubtful = true;
				limit = Math.min(latest - System.nanoTime(), AWAY) + System.nanoTime();
				failure = ex;
			}
			catch (JobStoreUnavailableException ex) {
				if (ex.reason() == Reason.NOT_READY) {
					limit = latest;
				}
				else if (attempt == 1) {
					limit = System.nanoTime();
				}
				failure = ex;
			}
			if (!pause(attempt, limit)) {
				// An earlier copy may have been carried out.
				throw (doubtful && !(failure instanceof JobStoreTimeoutException)) ? RedisErrors.unanswered(failure)
						: failure;
			}
			call = sender.get();
		}
	}

	/**
	 * Wait before the next attempt. The wait grows with each attempt and is partly
	 * random, so that many callers do not retry at the same time.
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

}
