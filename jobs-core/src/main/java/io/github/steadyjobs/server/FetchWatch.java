package io.github.steadyjobs.server;

import java.util.function.LongSupplier;

import io.github.steadyjobs.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a capsule gets no answers although heartbeats do. That is the one case in
 * which this process is broken and Redis is not. Thread safe.
 */
final class FetchWatch {

	private static final Logger logger = LoggerFactory.getLogger(FetchWatch.class);

	/**
	 * So many new connections have to fail in a row.
	 */
	private static final int ATTEMPTS = 3;

	private final String capsule;

	private final WorkerEvents events;

	private final LongSupplier clock;

	private int failures;

	private long lastFailure;

	private boolean heard;

	private boolean stalled;

	/**
	 * Create a watch.
	 * @param clock returns what {@link System#nanoTime()} does
	 */
	FetchWatch(String capsule, WorkerEvents events, LongSupplier clock) {
		this.capsule = capsule;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * A connection did not answer in time, or there was none. Several failures within the
	 * time that an answer is waited for count as one, and only those count at all before
	 * which a heartbeat was answered: when Redis is away, nobody gets answers.
	 */
	synchronized void unanswered() {
		long now = this.clock.getAsLong();
		if (this.heard && (this.failures == 0 || now - this.lastFailure >= Waits.PATIENCE.toNanos())) {
			this.failures++;
			this.lastFailure = now;
			this.heard = false;
			judge();
		}
	}

	synchronized void answered() {
		this.failures = 0;
		if (this.stalled) {
			this.stalled = false;
			logger.info("Capsule {} gets answers from Redis again", this.capsule);
			this.events.publish(new WorkerEvent.Resumed(this.capsule));
		}
	}

	synchronized void heartbeatAnswered() {
		this.heard = true;
	}

	private void judge() {
		if (this.failures >= ATTEMPTS && !this.stalled) {
			this.stalled = true;
			logger.error("Capsule {} gets no answers from Redis although heartbeats do, and {} new connections have "
					+ "not helped. Restart this process", this.capsule, ATTEMPTS);
			this.events.publish(new WorkerEvent.Stalled(this.capsule));
		}
	}

	synchronized boolean isStalled() {
		return this.stalled;
	}

}
