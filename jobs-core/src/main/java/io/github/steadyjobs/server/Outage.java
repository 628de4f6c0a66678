package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that Redis has gone and once that it is back, however many queues notice, and
 * however few of them are concerned. Thread safe.
 */
final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private final Set<String> failing = new HashSet<>();

	private volatile boolean away;

	private long since;

	/**
	 * Take note of a failure.
	 * @param queue the queue, which has to answer before Redis counts as being back
	 */
	void failed(String queue, Throwable failure) {
		synchronized (this) {
			if (this.failing.add(queue) && !this.away) {
				this.away = true;
				this.since = System.nanoTime();
				logger.warn("No jobs come from queue {} for now, and maybe others; workers keep trying: {}", queue,
						failure.getMessage());
			}
		}
	}

	void succeeded(String queue) {
		if (!this.away) {
			return;
		}
		synchronized (this) {
			if (this.failing.remove(queue) && this.failing.isEmpty()) {
				this.away = false;
				Duration lasted = Duration.ofNanos(System.nanoTime() - this.since);
				logger.info("Redis is back after {} s, workers go on", lasted.toSeconds());
			}
		}
	}

}
