package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that Redis has gone and once that it is back, however many threads notice,
 * and however many of them only see a part of it; and passes on what nobody expected.
 * Thread safe.
 */
final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private final Consumer<Throwable> unexpected;

	private final Set<Object> failing = new HashSet<>();

	private volatile boolean away;

	private long since;

	Outage(Consumer<Throwable> unexpected) {
		this.unexpected = unexpected;
	}

	/**
	 * Tell of a failure that has nothing to do with Redis being away.
	 */
	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

	/**
	 * Take note of a failure.
	 * @param what who has failed, and has to succeed until Redis counts as being back
	 */
	void failed(Object what, Throwable failure) {
		synchronized (this) {
			if (this.failing.add(what) && !this.away) {
				this.away = true;
				this.since = System.nanoTime();
				logger.warn("Workers fetch no jobs for now, and keep trying: {}", failure.getMessage());
			}
		}
	}

	void succeeded(Object what) {
		if (!this.away) {
			return;
		}
		synchronized (this) {
			if (this.failing.remove(what) && this.failing.isEmpty()) {
				this.away = false;
				Duration lasted = Duration.ofNanos(System.nanoTime() - this.since);
				logger.info("Redis is back after {} s, workers go on", lasted.toSeconds());
			}
		}
	}

}
