package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells each queue that this process is alive, and passes on the answers. Each queue has
 * its own pulse, so a queue that does not answer delays no other. Uses a connection that
 * carries nothing else, so no large push delays it either. Never waits.
 */
final class Heartbeat {

	/**
	 * A failed heartbeat is soon repeated, because after a gap all others begin to watch
	 * this process anew.
	 */
	private static final int PARTS_OF_A_BEAT = 5;

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private final Presence presence;

	private final long interval;

	private final BiConsumer<String, Beat> listener;

	private final Vitals vitals;

	private final Map<String, Pulse> pulses = new ConcurrentHashMap<>();

	/**
	 * Create a heartbeat.
	 * @param interval the time between two beats of a queue
	 * @param listener called on a network thread with a queue and its answer
	 */
	Heartbeat(Presence presence, Duration interval, BiConsumer<String, Beat> listener, Vitals vitals) {
		this.presence = presence;
		this.interval = interval.toNanos();
		this.listener = listener;
		this.vitals = vitals;
	}

	/**
	 * Start beating.
	 * @param scheduler a thread that has nothing else to do
	 */
	void start(BackgroundThread scheduler) {
		scheduler.repeat(this::beat, 0, Math.max(1, this.interval / PARTS_OF_A_BEAT), TimeUnit.NANOSECONDS);
	}

	/**
	 * Send a heartbeat to all queues that are due for one.
	 */
	void beat() {
		long now = System.nanoTime();
		this.presence.joined().forEach((queue, name) -> {
			Pulse pulse = this.pulses.computeIfAbsent(queue, (joined) -> new Pulse(now));
			if (!pulse.underWay && now - pulse.nextAt >= 0) {
				pulse.underWay = true;
				pulse.nextAt = now + this.interval;
				send(queue, name, pulse);
			}
		});
	}

	private void send(String queue, String name, Pulse pulse) {
		this.presence.beat(queue, name).whenComplete((beat, failure) -> {
			try {
				completed(queue, name, beat, failure);
			}
			catch (Throwable ex) {
				logger.error("The answer to a heartbeat in queue {} could not be handled", queue, ex);
				this.vitals.unexpected(ex);
			}
			finally {
				if (failure != null) {
					pulse.nextAt = System.nanoTime() + this.interval / PARTS_OF_A_BEAT;
				}
				pulse.underWay = false;
			}
		});
	}

	private void completed(String queue, String name, @Nullable Beat beat, @Nullable Throwable failure) {
		if (beat == null) {
			// Fetchers notice this too, and report it.
			logger.debug("No heartbeat in queue {}", queue, failure);
			return;
		}
		if (beat.status() == Status.FENCED) {
			this.presence.fenced(queue, name);
		}
		else if (beat.status() == Status.OK) {
			this.listener.accept(queue, beat);
		}
	}

	private static final class Pulse {

		private volatile boolean underWay;

		private volatile long nextAt;

		Pulse(long nextAt) {
			this.nextAt = nextAt;
		}

	}

}
