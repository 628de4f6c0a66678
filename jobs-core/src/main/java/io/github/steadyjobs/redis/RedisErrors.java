package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Translates errors of Redis and Lettuce into exceptions that state whether the data in
 * Redis may have changed.
 */
public final class RedisErrors {

	/**
	 * Error codes of a server that temporarily accepts no calls, usually because it is
	 * starting or because of a failover.
	 */
	private static final List<String> PASSING = List.of("READONLY", "NOREPLICAS", "UNBLOCKED", "LOADING", "MASTERDOWN",
			"BUSY", "TRYAGAIN", "CLUSTERDOWN");

	private static final String CLOSED = "the connection was closed at once";

	/** Parts of Lua errors about a value that a script did not expect. */
	private static final List<String> SCRIPT_ERRORS = List.of("attempt to ", "bad argument ");

	private RedisErrors() {
	}

	static JobStoreUnavailableException unavailable(String address, Throwable cause) {
		String reason = rootMessage(cause);
		String message = "Redis is not reachable at %s (%s); nothing was sent. Check 'spring.data.redis.*' and the server.";
		if (isCode("NOAUTH", reason)) {
			message = "Redis at %s wants a password (%s); nothing was sent. Set 'spring.data.redis.password', and 'spring.data.redis.username' if it is that of a user.";
		}
		else if (isCode("WRONGPASS", reason)) {
			message = "Redis at %s does not accept the password (%s); nothing was sent. Correct 'spring.data.redis.password', and 'spring.data.redis.username' if it is that of a user.";
		}
		else if (isAboutTls(cause)) {
			message = "Redis at %s and this application do not agree on TLS (%s); nothing was sent. Set 'spring.data.redis.ssl.bundle' to a bundle that trusts the certificate of the server and, if the server asks for a client certificate, contains one.";
		}
		else if (reason.equals(CLOSED) || reason.contains("Connection reset")) {
			// A server that only speaks TLS reacts to a plain-text greeting like this.
			message = "Redis at %s closed the connection before it answered (%s); nothing was sent. Check 'spring.data.redis.*' and the server: if it only speaks TLS, set 'spring.data.redis.ssl.enabled'.";
		}
		else if (unwrap(cause) instanceof TimeoutException) {
			// A server without TLS mistakes a TLS greeting for the beginning of a
			// command, and waits for the rest.
			message = "Redis at %s did not answer in time; nothing was sent. Check 'spring.data.redis.*' and the server: one that does not speak TLS is silent if 'spring.data.redis.ssl.enabled' is true.";
		}
		return new JobStoreUnavailableException(message.formatted(address, reason), cause);
	}

	static JobStoreUnavailableException interrupted(InterruptedException cause) {
		return new JobStoreUnavailableException(
				"The thread was interrupted before it could send anything to Redis; nothing was sent", cause);
	}

	static JobStoreException notOpened(String address, Throwable cause) {
		if (unwrap(cause) instanceof JobStoreException refusal) {
			return new JobStoreException(String.valueOf(refusal.getMessage()), refusal);
		}
		return unavailable(address, cause);
	}

	/** Return the failure without the exceptions in which futures have wrapped it. */
	public static Throwable unwrap(Throwable error) {
		Throwable unwrapped = error;
		while (unwrapped instanceof CompletionException && unwrapped.getCause() != null) {
			unwrapped = unwrapped.getCause();
		}
		return unwrapped;
	}

	static JobStoreTimeoutException unanswered(@Nullable Throwable cause) {
		String what = (cause instanceof InterruptedException)
				? "The thread was interrupted while it waited for the answer of Redis" : "Redis did not answer";
		return new JobStoreTimeoutException(what + "; the call may have been carried out", cause);
	}

	public static JobStoreException translate(Throwable error) {
		if (error instanceof JobStoreException translated) {
			return translated;
		}
		if (!(error instanceof RedisCommandExecutionException)) {
			return unanswered(error);
		}
		String message = String.valueOf(error.getMessage());
		if (isCode("OOM", message)) {
			return new JobStoreException(Reason.FULL,
					"Redis has reached its maxmemory and takes no new jobs; nothing was stored (" + message + ")",
					error);
		}
		if (isCode("WRONGTYPE", message)
				|| (SCRIPT_ERRORS.stream().anyMatch(message::contains) && message.contains("user_script"))) {
			return damaged("a key holds a value that no script of ours writes", error);
		}
		if (isDenied(error)) {
			return new JobStoreException(
					"The user of Redis lacks a permission, and a script may have stopped half-way (%s). Allow all that jobs need: ACL SETUSER <user> %s"
						.formatted(message, AccessRule.ofWorker("<steadyjobs.prefix>")),
					error);
		}
		if (PASSING.stream().anyMatch((code) -> isCode(code, message))) {
			return new JobStoreUnavailableException(Reason.NOT_READY,
					"Redis takes no calls for now; nothing was changed (" + message + ")", error);
		}
		return new JobStoreException("Redis refused the call: " + message, error);
	}

	/**
	 * Return a failure for a key that holds a wrong value.
	 * @param what the name of the key and a description of its value, for the message
	 */
	public static JobStoreException damaged(String what, @Nullable Throwable error) {
		return new JobStoreException(Reason.DAMAGED,
				"Data in Redis is damaged: %s; nothing was changed. JobAudit finds it, and repairs it or says what to do (%s)"
					.formatted(what, (error != null) ? error.getMessage() : "unknown"),
				error);
	}

	/**
	 * Return whether the Redis user lacks a permission. Before Redis 7.2, the error of a
	 * command in a script has no code.
	 */
	public static boolean isDenied(Throwable error) {
		String message = String.valueOf(error.getMessage());
		return isCode("NOPERM", message) || message.contains("The user executing the script can't");
	}

	/**
	 * Translate an error of a call that was sent more than once. One copy was refused,
	 * but another copy may have been carried out.
	 */
	static JobStoreException translateDoubtful(Throwable error) {
		JobStoreException translated = translate(error);
		// A full Redis refuses a call only if no earlier copy was carried out. Otherwise,
		// the call receives the earlier answer.
		return (translated.reason() == Reason.FULL) ? translated : unanswered(translated);
	}

	public static JobStoreException keyFull() {
		return new JobStoreException(Reason.KEY_FULL,
				"As many payloads as 'steadyjobs.sequential.limit' allows, or 64 MB, wait for the key of this job; this one is not added to them. See why its jobs do not run, or take more of them at once",
				null);
	}

	/**
	 * Return whether only another connection would help, because the current connection
	 * may have died silently, or because the role of the server at its other end has
	 * changed. The error with which a replica refuses {@code WAIT} has no error code.
	 */
	static boolean wantsAnotherConnection(Throwable error) {
		String message = String.valueOf(error.getMessage());
		return error instanceof RedisCommandTimeoutException
				|| (error instanceof RedisCommandExecutionException && (isCode("READONLY", message)
						|| isCode("UNBLOCKED", message) || message.contains("WAIT cannot be used with replica")));
	}

	/**
	 * Return whether a message has an error code. Before Redis 7, the code of an error in
	 * a script comes after the position in the script.
	 */
	private static boolean isCode(String code, String message) {
		return message.startsWith(code + " ") || message.contains(": -" + code + " ");
	}

	/**
	 * Return whether the call must be sent to another node of the cluster. If so, the
	 * call was not carried out.
	 */
	static boolean isElsewhere(@Nullable Throwable error) {
		String message = (error instanceof RedisCommandExecutionException refusal)
				? String.valueOf(refusal.getMessage()) : "";
		return message.startsWith("MOVED ") || message.startsWith("ASK ");
	}

	/** Return whether the nodes of the cluster may have changed their roles. */
	static boolean isClusterDown(Throwable error) {
		return isCode("CLUSTERDOWN", String.valueOf(error.getMessage()));
	}

	static boolean isWrongType(Throwable error) {
		return isCode("WRONGTYPE", String.valueOf(error.getMessage()));
	}

	static boolean isScriptMissing(Throwable error) {
		return error instanceof RedisCommandExecutionException
				&& String.valueOf(error.getMessage()).startsWith("NOSCRIPT");
	}

	private static boolean isAboutTls(Throwable error) {
		return Stream.<@Nullable Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
			.anyMatch(SSLException.class::isInstance);
	}

	private static String rootMessage(Throwable error) {
		Throwable root = error;
		while (root.getCause() != null && root.getCause() != root) {
			root = root.getCause();
		}
		String message = (root.getMessage() != null) ? root.getMessage() : root.getClass().getSimpleName();
		// Lettuce mentions this class if the server closes the connection before the
		// handshake.
		return message.contains("RedisHandshakeHandler") ? CLOSED : message;
	}

}
