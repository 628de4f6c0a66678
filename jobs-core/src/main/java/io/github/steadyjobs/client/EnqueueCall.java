package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.ordered.MovedException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls.Slot;
import io.github.steadyjobs.redis.ReplicaWait;
import io.github.steadyjobs.redis.ScriptCall;
import org.jspecify.annotations.Nullable;

/**
 * A numbered call that stores jobs. If it is not answered, the jobs may or may not be
 * stored. Such a call can be kept together with its number. When it is sent again, it
 * either stores the jobs or returns the lost answer: nothing is stored twice. The call
 * holds a slot until it is closed. Used by one thread at a time.
 */
final class EnqueueCall implements AutoCloseable {

	/**
	 * How long a call can be sent again. Redis forgets the numbers of a producer that has
	 * been silent for an hour, and would then execute the call twice.
	 */
	private static final Duration KNOWN = Duration.ofMinutes(30);

	private final Slot slot;

	private final Destination destination;

	private final List<NewJob> jobs;

	private final int first;

	private final long begun;

	private final long deadline;

	private Duration patience = Duration.ZERO;

	/**
	 * Create a call in a slot that was acquired for it.
	 * @param first the index of the call's first job in the push
	 * @param begun the {@link System#nanoTime()} from which the delays of the jobs are
	 * counted; the call was not sent before that time
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 */
	EnqueueCall(Slot slot, Destination destination, List<NewJob> jobs, int first, long begun, long deadline) {
		this.slot = slot;
		this.destination = destination;
		this.jobs = jobs;
		this.first = first;
		this.begun = begun;
		this.deadline = deadline;
	}

	/**
	 * Send the call.
	 * @param replicas the connection to use if the call should be replicated,
	 * {@code null} otherwise
	 */
	void send(@Nullable ReplicaWait replicas) {
		try {
			this.slot.send(copy(), Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime())), replicas);
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
	}

	private ScriptCall copy() {
		// The same time is used for all jobs, so that jobs that are due at the same time
		// keep their relative order.
		return this.destination.write(this.slot, this.jobs,
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.begun));
	}

	boolean isSent() {
		return this.slot.isSent();
	}

	/**
	 * Wait for the answer.
	 * @param patience the maximum time that the caller can wait
	 */
	List<Admission> answer(Duration patience) {
		return answer(this.deadline, patience);
	}

	private List<Admission> answer(long deadline, Duration patience) {
		String letters = Answers.text(this.slot.answer(this::copy, deadline, patience), 0);
		MovedException.throwIf(letters);
		if (letters.equals("UPGRADE")) {
			throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
					+ "nothing was stored. Update this application.");
		}
		return Admission.of(letters, this.jobs.size());
	}

	boolean isReplicated() {
		return this.slot.isReplicated();
	}

	/**
	 * Keep the call, so that it can be sent again after it has been closed.
	 * @param patience the maximum time that each further attempt may take
	 */
	void keep(Duration patience) {
		this.patience = patience;
		this.slot.keep();
	}

	int first() {
		return this.first;
	}

	/** Return the jobs of the call, in the order of its answers. */
	List<NewJob> jobs() {
		return this.jobs;
	}

	/**
	 * Return whether the call must not be sent again, because it is over half an hour old
	 * and Redis may have forgotten its number.
	 */
	boolean isTooOld() {
		return System.nanoTime() - this.begun > KNOWN.toNanos();
	}

	/** Send a kept call again, and wait for the answer. */
	List<Admission> repeat() {
		return answer(System.nanoTime() + this.patience.toNanos(), this.patience);
	}

	@Override
	public void close() {
		this.slot.close();
	}

}
