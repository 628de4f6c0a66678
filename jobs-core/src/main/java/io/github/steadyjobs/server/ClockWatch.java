package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the clock of Redis was set, which delays or hastens what is due, by
 * comparing it with the clock of this process that nobody can set. Thread safe.
 */
final class ClockWatch {

	private static final Logger logger = LoggerFactory.getLogger(ClockWatch.class);

	private static final long TOLERANCE = Duration.ofSeconds(5).toMillis();

	private final WorkerEvents events;

	/**
	 * By queue, as queues may be on different servers.
	 */
	private final Map<String, Offset> offsets = new HashMap<>();

	private Offset reported = new Offset(Long.MIN_VALUE, Long.MIN_VALUE);

	ClockWatch(WorkerEvents events) {
		this.events = events;
	}

	/**
	 * Take note of an answer.
	 * @param queue the queue that answered
	 * @param time Redis time in milliseconds, 0 if the answer does not tell it
	 * @param sentAt the {@link System#nanoTime()} before which nothing was sent
	 * @param receivedAt the {@link System#nanoTime()} of the answer
	 */
	void seen(String queue, long time, long sentAt, long receivedAt) {
		if (time == 0) {
			return;
		}
		Offset offset = new Offset(time - TimeUnit.NANOSECONDS.toMillis(receivedAt),
				time - TimeUnit.NANOSECONDS.toMillis(sentAt));
		synchronized (this) {
			Offset before = this.offsets.put(queue, offset);
			long step = (before != null) ? offset.stepFrom(before) : 0;
			// Other queues of the same server tell the same.
			if (Math.abs(step) > TOLERANCE && offset.stepFrom(this.reported) != 0) {
				this.reported = offset;
				report(Duration.ofMillis(step));
			}
		}
	}

	private void report(Duration step) {
		logger.warn("The clock of Redis was set by {} s, so scheduled and failed jobs run {} than they were meant to. "
				+ "Nothing else depends on it", step.toSeconds(), step.isNegative() ? "later" : "earlier");
		this.events.publish(new WorkerEvent.ClockStepped(step));
	}

	/**
	 * How far the clock of Redis is ahead of ours: not exactly known, as we do not know
	 * when between question and answer it was read.
	 */
	private record Offset(long least, long most) {

		/**
		 * Return by how much at least the clock was set since another offset was found.
		 */
		long stepFrom(Offset before) {
			if (this.least > before.most) {
				return this.least - before.most;
			}
			return (this.most < before.least) ? this.most - before.least : 0;
		}

	}

}
