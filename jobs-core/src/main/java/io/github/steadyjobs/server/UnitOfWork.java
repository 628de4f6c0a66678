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
 * A claimed job on its way through a worker.
 */
final class UnitOfWork {

	private final JobToken token;

	private final byte[] payload;

	private final Map<String, String> consistency;

	private final long claimedAt;

	private final long fencingToken;

	private final long claimSentAt;

	private volatile boolean givenBack;

	private volatile boolean begun;

	private volatile @Nullable JobPayload read;

	private @Nullable Thread runner;

	UnitOfWork(JobToken token, ClaimedJob job, long claimedAt, long fencingToken, long claimSentAt) {
		this.token = token;
		this.payload = job.payload();
		this.consistency = parse(job.positions());
		this.claimedAt = claimedAt;
		this.fencingToken = fencingToken;
		this.claimSentAt = claimSentAt;
	}

	JobToken token() {
		return this.token;
	}

	String queue() {
		return this.token.queue();
	}

	byte[] payload() {
		return this.payload;
	}

	/**
	 * Take note of what the payload says, for logs to name the job.
	 */
	void read(JobPayload read) {
		this.read = read;
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
	 * Return whether so much time has passed since the claim that others may have taken
	 * this process for dead and run the job, without this process knowing yet: it may
	 * have been paused just here.
	 */
	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.claimSentAt >= age.toNanos();
	}

	/**
	 * Run on the current thread from now on.
	 */
	synchronized void begin() {
		this.begun = true;
		this.runner = Thread.currentThread();
	}

	/**
	 * Return whether the job may have done something.
	 */
	boolean hasBegun() {
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
	 * Note that the job was put back to its queue while it still runs here, so that
	 * nothing is settled when it ends.
	 */
	void giveBack() {
		this.givenBack = true;
	}

	boolean isGivenBack() {
		return this.givenBack;
	}

	@Override
	public String toString() {
		JobPayload named = this.read;
		return ((named != null) ? named : this.token.id()) + " of queue " + this.token.queue();
	}

}
