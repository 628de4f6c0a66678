package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobStoreException;

/**
 * A call to store jobs that was sent but not answered, so they may be stored or not. It
 * keeps its number. When it is sent again it either stores them or gets the answer that
 * was lost: nothing is stored twice. Used by one thread at a time.
 */
public final class UnansweredCall {

	/**
	 * How long a call can be sent again. Redis forgets the numbers of a producer that was
	 * silent for an hour, and would carry out the call once more.
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

	/** Return the jobs of the call, in the order of the answers of {@link #repeat()}. */
	public List<NewJob> jobs() {
		return this.call.jobs();
	}

	/**
	 * Return whether the call must not be sent again, because Redis may have forgotten
	 * its number after half an hour.
	 */
	public boolean isTooOld() {
		return System.nanoTime() - this.call.begun() > KNOWN.toNanos();
	}

	/**
	 * Send the call again.
	 * @return the results of its jobs. If they are still unknown, this call is among
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
			// An earlier copy may have got through even if this one did not. And a late
			// copy may find memory where this one found none.
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
