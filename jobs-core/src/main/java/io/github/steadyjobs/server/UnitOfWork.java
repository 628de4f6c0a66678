package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.JobToken;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job on its way through a worker. It is begun or given back before it has
 * begun, never both, and a run that has begun may be given back while it goes on. Thread
 * safe.
 */
final class UnitOfWork {

	private final JobToken token;

	private final byte[] payload;

	private final boolean cancelled;

	private final Map<String, String> consistency;

	private final long claimedAt;

	private final long fencingToken;

	private final long claimSentAt;

	private final long arrivedAt;

	private boolean begun;

	private boolean givenBack;

	private volatile @Nullable JobPayload read;

	private @Nullable Thread runner;

	UnitOfWork(JobToken token, ClaimedJob job, long claimedAt, long fencingToken, long claimSentAt, long arrivedAt) {
		this.token = token;
		byte[] payload = job.payload();
		this.cancelled = payload == null;
		this.payload = (payload != null) ? payload : new byte[0];
		this.consistency = parse(job.positions());
		this.claimedAt = claimedAt;
		this.fencingToken = fencingToken;
		this.claimSentAt = claimSentAt;
		this.arrivedAt = arrivedAt;
	}

	JobToken token() {
		return this.token;
	}

	String queue() {
		return this.token.queue();
	}

	boolean isOf(String queue, String process) {
		return this.token.queue().equals(queue) && this.token.process().equals(process);
	}

	/**
	 * What is stored for the job, empty if it was {@linkplain #isCancelled() cancelled}.
	 */
	byte[] payload() {
		return this.payload;
	}

	/**
	 * Take note of what the payload says, for logs to name the job.
	 */
	void read(JobPayload read) {
		this.read = read;
	}

	/**
	 * Return whether the job was cancelled before it could begin.
	 */
	boolean isCancelled() {
		return this.cancelled;
	}

	private static Map<String, String> parse(String positions) {
		if (positions.isEmpty()) {
			return Map.of();
		}
		Map<String, String> parsed = new LinkedHashMap<>();
		for (String position : positions.split(";")) {
			int end = position.indexOf('=');
			parsed.put(position.substring(0, end), position.substring(end + 1));
		}
		return Collections.unmodifiableMap(parsed);
	}

	/**
	 * How new the data has to be that the run sees, by the names of sources.
	 */
	Map<String, String> consistency() {
		return this.consistency;
	}

	/**
	 * Redis time of the claim, in milliseconds since the epoch.
	 */
	long claimedAt() {
		return this.claimedAt;
	}

	/**
	 * A number that is greater for each later claim of the same job.
	 */
	long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * Return the {@link System#nanoTime()} at which the job was known here.
	 */
	long arrivedAt() {
		return this.arrivedAt;
	}

	/**
	 * Return whether so much time has passed since the claim that others may have taken
	 * this process for dead and run the job, without this process knowing yet: it may
	 * have been paused just here.
	 */
	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.claimSentAt >= age.toNanos();
	}

	/**
	 * Run on the current thread from now on, unless the job was given back.
	 * @return whether it may run
	 */
	synchronized boolean begin() {
		if (this.givenBack) {
			return false;
		}
		this.begun = true;
		this.runner = Thread.currentThread();
		return true;
	}

	/**
	 * Return whether the job may have done something.
	 */
	synchronized boolean hasBegun() {
		return this.begun;
	}

	/**
	 * The run has ended: an interrupt that was meant for it must not hit the next one.
	 */
	synchronized void end() {
		this.runner = null;
		Thread.interrupted();
	}

	/**
	 * Interrupt the run, if it is under way.
	 */
	synchronized void interrupt() {
		if (this.runner != null) {
			this.runner.interrupt();
		}
	}

	/**
	 * Let the job go back to its queue, unless it has begun: it cannot begin any more.
	 * @return whether it had neither begun nor been given back
	 */
	synchronized boolean giveBackUnbegun() {
		boolean first = !this.begun && !this.givenBack;
		this.givenBack |= first;
		return first;
	}

	/**
	 * Let the job go back to its queue, also if it has begun: then nothing is settled
	 * when it ends.
	 */
	synchronized void giveBack() {
		this.givenBack = true;
	}

	synchronized boolean isGivenBack() {
		return this.givenBack;
	}

	@Override
	public String toString() {
		JobPayload named = this.read;
		return ((named != null) ? named : this.token.id()) + " of queue " + this.token.queue();
	}

}
