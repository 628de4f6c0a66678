package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs that a process holds go when they are settled. Its name is the name of the
 * total in which they count.
 */
final class Goal {

	/** The job has run, and ends. */
	static final Goal DONE = new Goal("done");

	/** The job has expired, and ends. */
	static final Goal EXPIRED = new Goal("expired");

	/** The job is forgotten. */
	static final Goal DISCARDED = new Goal("discarded");

	/** The job goes back to the head of its queue. */
	static final Goal RELEASED = new Goal("released");

	/** The same for a job that has not begun. */
	static final Goal UNBEGUN = new Goal("unbegun");

	private static final byte[] STORED = {};

	private final String name;

	private final List<byte[]> arguments;

	private Goal(String name, byte[]... arguments) {
		this.name = name;
		this.arguments = List.of(arguments);
	}

	/**
	 * Run a failed job again later.
	 * @param payload the payload to store, which counts the failure
	 * @param delay when, from now by Redis time
	 * @param queue another queue to run it in, if that accepts it; {@code null} to retry
	 * it where it is
	 */
	static Goal retry(byte[] payload, Duration delay, @Nullable String queue) {
		return (queue == null) ? new Goal("failed", payload, millis(delay))
				: new Goal("failed", payload, millis(delay), bytes(queue));
	}

	/**
	 * Put off a job that has not begun.
	 * @param delay when, from now by Redis time
	 */
	static Goal putOff(Duration delay) {
		return new Goal("putoff", STORED, millis(delay));
	}

	/**
	 * Run a job again later because it asked for that.
	 * @param payload the payload to store, with the new due time
	 * @param delay when, from now by Redis time
	 */
	static Goal snooze(byte[] payload, Duration delay) {
		return new Goal("snoozed", payload, millis(delay));
	}

	/**
	 * Set a job aside.
	 * @param payload what to store, {@code null} to keep what is stored
	 * @param reason why, by which it is found when that no longer holds
	 * @param pauses the version of the pauses that include its name, 0 if it is not
	 * paused
	 */
	static Goal park(byte @Nullable [] payload, String reason, long pauses) {
		return new Goal((pauses > 0) ? "paused" : "parked", orStored(payload), bytes(reason), bytes("" + pauses));
	}

	/**
	 * Move a job to the dead set.
	 * @param payload the payload to store, or {@code null} to keep what is stored
	 * @param limits how many dead jobs are kept, and for how long
	 */
	static Goal bury(byte @Nullable [] payload, DeadLimits limits) {
		return new Goal("dead", orStored(payload), bytes("" + limits.max()), millis(limits.age()));
	}

	/**
	 * Move one payload of an ordered job to the dead set, or forget it, and let the job
	 * continue with the others.
	 * @param dead the job with this payload alone, under a new id, or {@code null} to
	 * forget it
	 * @param rest the job with the others, without its failures
	 * @param limits how many dead jobs are kept, and for how long
	 */
	static Goal exhaust(@Nullable NewJob dead, byte[] rest, DeadLimits limits) {
		List<byte[]> burial = bury((dead != null) ? dead.payload() : null, limits).arguments;
		return new Goal((dead != null) ? "dead" : "discarded",
				Stream.concat(burial.stream(), Stream.of(bytes((dead != null) ? dead.id() : ""), rest))
					.toArray(byte[][]::new));
	}

	/**
	 * Carry a job to the other queue in which it is retried.
	 * @param way what Redis has answered about its move
	 */
	CompletableFuture<Void> carry(MoveStore moves, JobToken job, List<Object> way) {
		return moves.retryElsewhere(job.id(), job.queue(), new String(this.arguments.get(2), StandardCharsets.UTF_8),
				way, this.arguments.get(0));
	}

	String name() {
		return this.name;
	}

	/** Return the arguments of the script that follow the jobs. */
	List<byte[]> arguments() {
		return this.arguments;
	}

	private static byte[] orStored(byte @Nullable [] payload) {
		return (payload != null) ? payload : STORED;
	}

	private static byte[] millis(Duration duration) {
		return bytes("" + duration.toMillis());
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
