package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Admits only a few requests at a time, so that many viewers of slow pages leave threads
 * of the web server to other requests, such as health probes. Thread-safe.
 */
final class Turnstile {

	private static final int MOST_INSIDE = 4;

	private static final int MOST_WAITING = 8;

	private final Duration patience;

	private final Semaphore places = new Semaphore(MOST_INSIDE);

	/**
	 * Create a turnstile.
	 * @param patience maximum time that a request waits
	 */
	Turnstile(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Enter, after waiting for room if necessary.
	 * @return whether there was room; if so, {@link #leave()} must be called afterwards
	 */
	boolean enter() {
		if (this.places.tryAcquire()) {
			return true;
		}
		if (this.places.getQueueLength() >= MOST_WAITING) {
			return false;
		}
		try {
			return this.places.tryAcquire(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	void leave() {
		this.places.release();
	}

}
