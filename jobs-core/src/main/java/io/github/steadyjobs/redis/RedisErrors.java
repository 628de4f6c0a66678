package io.github.steadyjobs.redis;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreFullException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what Redis and Lettuce report into exceptions that say what is true in Redis.
 */
final class RedisErrors {

	private RedisErrors() {
	}

	static JobStoreUnavailableException unavailable(@Nullable Throwable cause) {
		String detail = (cause == null) ? "" : " (" + rootMessage(cause) + ")";
		return new JobStoreUnavailableException(
				"Redis is not reachable" + detail + "; nothing was sent. Check 'spring.data.redis.*' and the server.",
				cause);
	}

	static JobStoreException notOpened(Throwable cause) {
		if (cause instanceof JobStoreException refusal) {
			return new JobStoreException(String.valueOf(refusal.getMessage()), refusal);
		}
		return unavailable(cause);
	}

	static JobStoreTimeoutException unanswered(@Nullable Throwable cause) {
		return new JobStoreTimeoutException("Redis did not answer; the call may have been carried out", cause);
	}

	static JobStoreException translate(Throwable error) {
		if (error instanceof JobStoreException translated) {
			return translated;
		}
		if (!(error instanceof RedisCommandExecutionException)) {
			return unanswered(error);
		}
		String message = String.valueOf(error.getMessage());
		if (message.startsWith("OOM")) {
			return new JobStoreFullException(
					"Redis has reached its maxmemory and takes no new jobs; nothing was stored (" + message + ")",
					error);
		}
		return new JobStoreException("Redis refused the call: " + message, error);
	}

	/**
	 * Return whether the server on the other end of a connection has lost the role in
	 * which it can serve us, so that only another connection helps.
	 */
	static boolean wantsAnotherConnection(Throwable error) {
		String message = String.valueOf(error.getMessage());
		return error instanceof RedisCommandExecutionException
				&& (message.startsWith("READONLY") || message.startsWith("UNBLOCKED"));
	}

	static boolean isScriptMissing(Throwable error) {
		return error instanceof RedisCommandExecutionException
				&& String.valueOf(error.getMessage()).startsWith("NOSCRIPT");
	}

	private static String rootMessage(Throwable error) {
		Throwable root = error;
		while (root.getCause() != null && root.getCause() != root) {
			root = root.getCause();
		}
		return (root.getMessage() != null) ? root.getMessage() : root.getClass().getSimpleName();
	}

}
