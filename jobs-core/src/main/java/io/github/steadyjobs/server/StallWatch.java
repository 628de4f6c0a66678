package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.steadyjobs.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a capsule does nothing although it should: jobs are ready, a worker runs
 * none, Redis answers, and for a minute nothing was claimed or settled. That is the one
 * case in which this process is broken and Redis is not. Thread safe.
 */
final class StallWatch {

	private static final long STALLED_AFTER = Duration.ofMinutes(1).toNanos();

	/**
	 * While heartbeats are not answered, Redis is to blame.
	 */
	private static final long LONGEST_GAP = Duration.ofSeconds(20).toNanos();

	private static final Logger logger = LoggerFactory.getLogger(StallWatch.class);

	private final String capsule;

	private final WorkerEvents events;

	private final LongSupplier nanoTime;

	private long progress;

	private long idleSince;

	private long judgedAt;

	private boolean stalled;

	/**
	 * Create a watch.
	 * @param nanoTime returns what {@link System#nanoTime()} does
	 */
	StallWatch(String capsule, WorkerEvents events, LongSupplier nanoTime) {
		this.capsule = capsule;
		this.events = events;
		this.nanoTime = nanoTime;
		this.judgedAt = nanoTime.getAsLong();
		this.idleSince = this.judgedAt;
	}

	/**
	 * Take note of what an answered heartbeat tells.
	 * @param shouldWork whether jobs are ready for this capsule, a worker runs none, and
	 * nothing keeps the process from claiming
	 * @param progress how much was claimed and settled up to now
	 */
	synchronized void judge(boolean shouldWork, long progress) {
		long now = this.nanoTime.getAsLong();
		boolean gap = now - this.judgedAt > LONGEST_GAP;
		this.judgedAt = now;
		if (!shouldWork || progress != this.progress || gap) {
			this.idleSince = now;
			this.progress = progress;
			if (this.stalled) {
				this.stalled = false;
				logger.info("Capsule {} goes on", this.capsule);
				this.events.publish(new WorkerEvent.Resumed(this.capsule));
			}
		}
		else if (now - this.idleSince >= STALLED_AFTER && !this.stalled) {
			this.stalled = true;
			logger.error(
					"Capsule {} has claimed and settled nothing for a minute, although jobs are ready, a worker "
							+ "is free and Redis answers. Restart this process, and report this with its thread dump",
					this.capsule);
			this.events.publish(new WorkerEvent.Stalled(this.capsule));
		}
	}

	synchronized boolean isStalled() {
		return this.stalled;
	}

}
