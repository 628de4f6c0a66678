package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.MoveStore;
import org.jspecify.annotations.Nullable;

/**
 * The destination of jobs that are settled by the process that holds them.
 *
 * @param name the name of the total in which the jobs are counted
 * @param arguments the arguments of {@code settle.lua} that follow the jobs
 */
record Goal(String name, List<byte[]> arguments) {

	private static final byte[] STORED = {};

	/**
	 * Create a goal.
	 * @param arguments payloads ({@code null} to keep the stored payload), delays, texts
	 * and numbers
	 */
	static Goal of(String name, @Nullable Object... arguments) {
		return new Goal(name, Stream.of(arguments).map(Goal::bytes).toList());
	}

	private static byte[] bytes(@Nullable Object argument) {
		if (argument == null) {
			return STORED;
		}
		if (argument instanceof byte[] payload) {
			return payload;
		}
		Object text = (argument instanceof Duration time) ? time.toMillis() : argument;
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Move a job to the other queue in which it is retried.
	 * @param way the move, as described in the answer from Redis
	 */
	CompletableFuture<Void> carry(MoveStore moves, JobToken job, List<Object> way) {
		return moves.retryElsewhere(job.id(), job.queue(), new String(this.arguments.get(2), StandardCharsets.UTF_8),
				way, this.arguments.get(0));
	}

}
