package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a fetcher knows of a queue. Used by one thread.
 */
final class FetchedQueue {

	/**
	 * Each queue is looked at this often even without a hint, as hints may be lost.
	 */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

	private final String name;

	private long lookAt = System.nanoTime();

	private long number;

	private long left;

	private boolean withdrawn;

	private @Nullable ClaimRequest unanswered;

	FetchedQueue(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	/**
	 * Return the claim that has no answer yet and has to be repeated.
	 */
	@Nullable ClaimRequest unanswered() {
		return this.unanswered;
	}

	ClaimRequest newClaim(String process, String capsule, int wanted) {
		ClaimRequest request = new ClaimRequest(this.name, process, capsule, ++this.number, wanted);
		this.unanswered = request;
		return request;
	}

	void answered(Claim claim) {
		long now = System.nanoTime();
		this.unanswered = null;
		this.left = claim.left();
		boolean dueEarlier = claim.untilDue() >= 0 && claim.untilDue() < LOOK_EVERY.toMillis();
		this.lookAt = now + (dueEarlier ? TimeUnit.MILLISECONDS.toNanos(claim.untilDue()) : LOOK_EVERY.toNanos());
	}

	/**
	 * Look again at once, under another name.
	 */
	void fenced() {
		this.unanswered = null;
		this.left = 0;
		this.lookAt = System.nanoTime();
	}

	/**
	 * Claim nothing of this queue any more.
	 */
	void withdraw() {
		this.unanswered = null;
		this.left = 0;
		this.withdrawn = true;
	}

	boolean isWithdrawn() {
		return this.withdrawn;
	}

	/**
	 * Return whether the queue had more to give out when it was claimed from last.
	 */
	boolean hasMore() {
		return this.left > 0;
	}

	/**
	 * Return how long the queue need not be looked at without a hint.
	 * @param now the present {@link System#nanoTime()}
	 * @return nanoseconds, negative if the time has passed
	 */
	long untilLook(long now) {
		return this.lookAt - now;
	}

}
