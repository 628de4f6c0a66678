package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.github.steadyjobs.JobStoreException;

/**
 * Waits for answers from Redis and reads them. Network threads may read answers but must
 * not wait for them.
 */
public final class Answers {

	private Answers() {
	}

	/**
	 * Wait for an answer. Does not send the call again.
	 * @throws JobStoreException if the answer does not arrive in time or the call failed
	 */
	static <T> T await(CompletableFuture<T> answer, Duration timeout) {
		return await(answer, System.nanoTime() + timeout.toNanos());
	}

	/**
	 * Wait for an answer. Does not send the call again.
	 * @param deadline the {@link System#nanoTime()} at which to give up; several answers
	 * may share a deadline
	 * @throws JobStoreException if the answer does not arrive in time or the call failed
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
			// Show the stack of the caller instead of the stack of a network thread.
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
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 * @param failed called for each queue whose call failed or was not answered
	 * @return the answers by queue, without the queues that were passed to {@code failed}
	 */
	public static <T> Map<String, T> awaitAll(List<String> queues, List<? extends CompletableFuture<T>> answers,
			long deadline, BiConsumer<String, JobStoreException> failed) {
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
		// The fastest decoding, because it only copies bytes. Ids, letters and codes are
		// ASCII.
		return new String((byte[]) value, StandardCharsets.ISO_8859_1);
	}

	public static String utf8(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	/** Read the fields of an answer to {@code INFO}. */
	static Map<String, String> info(List<Object> answer) {
		Map<String, String> fields = new HashMap<>();
		utf8(answer.get(0)).lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon > 0) {
				fields.put(line.substring(0, colon), line.substring(colon + 1));
			}
		});
		return Map.copyOf(fields);
	}

	/** Read a number. Scripts return numbers that are stored in Redis as text. */
	public static long number(List<Object> answer, int index) {
		Object value = answer.get(index);
		return (value instanceof Long number) ? number : Long.parseLong(ascii(value));
	}

}
