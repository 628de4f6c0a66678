package io.github.steadyjobs.server;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that Redis has gone and once that it is back, however many threads notice.
 * Thread safe.
 */
final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private volatile boolean away;

	private long since;

	void failed(Throwable failure) {
		if (this.away) {
			return;
		}
		synchronized (this) {
			if (!this.away) {
				this.away = true;
				this.since = System.nanoTime();
				logger.warn("Workers fetch no jobs for now, and keep trying: {}", failure.getMessage());
			}
		}
	}

	void succeeded() {
		if (!this.away) {
			return;
		}
		synchronized (this) {
			if (this.away) {
				this.away = false;
				Duration lasted = Duration.ofNanos(System.nanoTime() - this.since);
				logger.info("Redis is back after {} s, workers go on", lasted.toSeconds());
			}
		}
	}

}
