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

	private final boolean atMostOnce;

	private long lookAt = System.nanoTime();

	private long number;

	private long left;

	private long suspects;

	private long expected;

	private boolean stopped;

	private boolean withdrawn;

	private @Nullable ClaimRequest unanswered;

	private long sentAt;

	FetchedQueue(Capsule.Queue queue) {
		this.name = queue.name();
		this.atMostOnce = queue.atMostOnce();
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

	ClaimRequest newClaim(String process, String capsule, int wanted, boolean forSuspect) {
		String marks = (this.atMostOnce ? ClaimRequest.ONCE : "") + (forSuspect ? ClaimRequest.SUSPECT : "");
		ClaimRequest request = new ClaimRequest(this.name, process, capsule, ++this.number, wanted, marks);
		this.unanswered = request;
		this.sentAt = System.nanoTime();
		return request;
	}

	/**
	 * Note how many changes of the data set the answer has to tell at least.
	 */
	void expect(long seq) {
		this.expected = seq;
	}

	long expected() {
		return this.expected;
	}

	/**
	 * Return the {@link System#nanoTime()} before which no copy of the claim was sent.
	 */
	long sentAt() {
		return this.sentAt;
	}

	/**
	 * Take note of an answer.
	 * @param suspectWelcome whether a suspect could be run now
	 */
	void answered(Claim claim, boolean suspectWelcome) {
		long now = System.nanoTime();
		this.unanswered = null;
		this.left = claim.rest().ready();
		this.suspects = claim.rest().suspects();
		this.stopped = false;
		long untilDue = claim.rest().untilDue();
		boolean dueEarlier = untilDue >= 0 && untilDue < LOOK_EVERY.toMillis();
		if (this.suspects > 0 && suspectWelcome) {
			this.lookAt = now;
			return;
		}
		this.lookAt = now + (dueEarlier ? TimeUnit.MILLISECONDS.toNanos(untilDue) : LOOK_EVERY.toNanos());
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
	 * Claim nothing of this queue for a while, as Redis refuses to give out its jobs.
	 * @return whether it did give them out before
	 */
	boolean stop() {
		boolean first = !this.stopped;
		this.unanswered = null;
		this.left = 0;
		this.stopped = true;
		this.lookAt = System.nanoTime() + LOOK_EVERY.toNanos();
		return first;
	}

	boolean isStopped() {
		return this.stopped && untilLook(System.nanoTime()) > 0;
	}

	/**
	 * Return whether there was a suspect to claim.
	 */
	boolean hasSuspects() {
		return this.suspects > 0;
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
		return this.withdrawn ? Long.MAX_VALUE : this.lookAt - now;
	}

}
