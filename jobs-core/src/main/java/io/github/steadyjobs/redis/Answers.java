package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;

/**
 * Waits for answers of Redis, repeats calls that may be sent twice, and reads answers.
 * Network threads may only read answers.
 */
public final class Answers {

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/** How long the first copy of a call waits for a connection. */
	private static final Duration UNSENT = HeldConnection.PATIENCE.multipliedBy(3);

	/** How long a call that was sent waits for another connection. */
	private static final long AWAY = TimeUnit.SECONDS.toNanos(5);

	private Answers() {
	}

	/**
	 * Send a call that may be sent twice, and wait for its answer. The first attempt
	 * needs a connection at once. The call is sent again if the connection breaks, and
	 * while the server accepts no calls.
	 * @param sender sends a copy
	 * @param timeout how long to try, from when the first copy was sent
	 * @throws JobStoreException if there is no usable answer in time
	 */
	static List<Object> ask(Supplier<RedisCall> sender, Duration timeout) {
		RedisCall call = sender.get();
		await(call.sent(), UNSENT);
		long deadline = System.nanoTime() + timeout.toNanos();
		// An attempt that has no time for an answer would only leave the result unknown.
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
				// A copy that was sent may have been carried out.
				throw (doubtful && !(failure instanceof JobStoreTimeoutException)) ? RedisErrors.unanswered(failure)
						: failure;
			}
			call = sender.get();
		}
	}

	/**
	 * Wait a little, longer after each attempt and with a random part, so that many
	 * callers do not return at the same time.
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
	public static <T> T await(CompletableFuture<T> answer, long deadline) {
		try {
			return answer.isDone() ? answer.get() : Interrupts.get(answer, Math.max(0, deadline - System.nanoTime()));
		}
		catch (TimeoutException ex) {
			throw RedisErrors.unanswered(ex);
		}
		catch (ExecutionException ex) {
			JobStoreException failure = RedisErrors.translate(Objects.requireNonNullElse(ex.getCause(), ex));
			// It has the stack of the caller rather than of a network thread.
			failure.setStackTrace(new Throwable().getStackTrace());
			throw failure;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisErrors.unanswered(ex);
		}
	}

	/**
	 * Wait for the answers of several queues.
	 * @param failed takes the queues that did not answer, which are left out
	 */
	static <T> Map<String, T> awaitAll(List<String> queues, List<? extends CompletableFuture<T>> answers, long deadline,
			BiConsumer<String, JobStoreException> failed) {
		Map<String, T> found = new LinkedHashMap<>();
		for (int i = 0; i < answers.size(); i++) {
			try {
				found.put(queues.get(i), await(answers.get(i), deadline));
			}
			catch (JobStoreException ex) {
				failed.accept(queues.get(i), ex);
			}
		}
		return found;
	}

	public static String text(List<Object> answer, int index) {
		return ascii(answer.get(index));
	}

	public static String ascii(Object value) {
		// The only encoding that is a plain copy; ids, letters and codes are ASCII.
		return new String((byte[]) value, StandardCharsets.ISO_8859_1);
	}

	public static String utf8(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	public static long number(List<Object> answer, int index) {
		return (Long) answer.get(index);
	}

}
