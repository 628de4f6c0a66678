package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobStoreException;

/**
 * A call that was sent to store jobs and was not answered, so they may be stored or not.
 * It has kept its number. Sent again it either stores them, or gets the answer that was
 * lost: nothing is stored twice. Used by one thread at a time.
 */
public final class UnansweredCall {

	/**
	 * How long a call can be sent again. Redis forgets the numbers of a producer that it
	 * has not heard of for an hour, and would carry the call out once more.
	 */
	private static final Duration KNOWN = Duration.ofMinutes(30);

	private final EnqueueCall call;

	private final NodeConnections connections;

	private final Duration timeout;

	/**
	 * Keep a call.
	 * @param timeout how long each further attempt may take
	 */
	UnansweredCall(EnqueueCall call, NodeConnections connections, Duration timeout) {
		this.call = call;
		this.connections = connections;
		this.timeout = timeout;
		call.keep();
	}

	/**
	 * Return the jobs of the call.
	 * @return the jobs, in the order in which {@link #repeat()} answers for them
	 */
	public List<NewJob> jobs() {
		return this.call.jobs();
	}

	/**
	 * Return whether the call must not be sent again, because Redis may have forgotten
	 * its number.
	 * @return whether it is half an hour old
	 */
	public boolean isTooOld() {
		return System.nanoTime() - this.call.begun() > KNOWN.toNanos();
	}

	/**
	 * Send the call again.
	 * @return how its jobs were taken. If that is still not known, this call is among
	 * those that were not answered.
	 */
	public Push repeat() {
		EnqueueCall again = this.call.until(System.nanoTime() + this.timeout.toNanos());
		Push push = new Push(jobs().size());
		try {
			push.answered(0, again.answer(() -> again.send(this.connections)));
		}
		catch (RuntimeException ex) {
			failed(push, RedisErrors.translate(ex));
		}
		return push;
	}

	private void failed(Push push, JobStoreException failure) {
		boolean open = switch (failure.reason()) {
			// What did not get through now may have done so before. And with no memory
			// left a copy that is late may still find some.
			case UNREACHABLE, UNANSWERED, NOT_READY, FULL -> true;
			case REFUSED, KEY_FULL, DAMAGED -> false;
		};
		if (open) {
			push.unanswered(0, this, failure);
		}
		else {
			push.failed(0, jobs().size(), failure);
		}
	}

}
