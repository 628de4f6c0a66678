package io.github.steadyjobs.test.boot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The jobs that one thread has enqueued since its test began. Thread safe.
 */
final class Recording {

	private final String thread;

	private final Clock clock;

	private final MemoryJobs memory;

	private final List<RecordedJob> enqueued = new CopyOnWriteArrayList<>();

	private final List<String> dropped = new CopyOnWriteArrayList<>();

	private volatile Duration ahead = Duration.ZERO;

	Recording(String thread, Clock system, int mostPayloads) {
		this.thread = thread;
		this.clock = new Ahead(system);
		this.memory = new MemoryJobs(this.clock, mostPayloads);
	}

	String thread() {
		return this.thread;
	}

	MemoryJobs memory() {
		return this.memory;
	}

	List<RecordedJob> enqueued() {
		return this.enqueued;
	}

	/** Return the jobs that were dropped as duplicates, one line for each. */
	List<String> dropped() {
		return this.dropped;
	}

	/** Return the clock of the thread, which may be ahead of the system clock. */
	Clock clock() {
		return this.clock;
	}

	void advance(Duration duration) {
		this.ahead = this.ahead.plus(duration);
	}

	private final class Ahead extends Clock {

		private final Clock system;

		Ahead(Clock system) {
			this.system = system;
		}

		@Override
		public Instant instant() {
			return this.system.instant().plus(Recording.this.ahead);
		}

		@Override
		public ZoneId getZone() {
			return this.system.getZone();
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException("Jobs have no time zone");
		}

	}

}
