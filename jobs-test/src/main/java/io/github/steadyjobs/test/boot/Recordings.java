package io.github.steadyjobs.test.boot;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The recordings of an application context, one for each thread, so that tests that run
 * in parallel do not see each other's jobs. Thread safe.
 */
final class Recordings {

	private final Map<Thread, Recording> byThread = new ConcurrentHashMap<>();

	/** The threads on which a test of this context is running. */
	private final Set<Thread> testing = ConcurrentHashMap.newKeySet();

	/** The jobs that assertions have found, which are compared by identity. */
	private final Set<RecordedJob> found = ConcurrentHashMap.newKeySet();

	private final Clock clock = new OfThread();

	private final int mostPayloads;

	/**
	 * Create recordings.
	 * @param mostPayloads the maximum number of payloads that wait for a key
	 */
	Recordings(int mostPayloads) {
		this.mostPayloads = mostPayloads;
	}

	Recording current() {
		return this.byThread.computeIfAbsent(Thread.currentThread(), (thread) -> empty());
	}

	private Recording empty() {
		return new Recording(Thread.currentThread().getName(), Clock.systemUTC(), this.mostPayloads);
	}

	/** Return the recordings of all threads, starting with the current thread. */
	List<Recording> all() {
		return Stream.concat(Stream.of(current()), others().stream()).toList();
	}

	/** Return the recordings of all threads except the current thread. */
	List<Recording> others() {
		Recording own = current();
		return this.byThread.values().stream().filter((recording) -> recording != own).toList();
	}

	Set<RecordedJob> found() {
		return this.found;
	}

	/** Start afresh for a test on the current thread. */
	void begin() {
		this.testing.add(Thread.currentThread());
		clear();
	}

	/** Note that the test on the current thread has ended. */
	void end() {
		this.testing.remove(Thread.currentThread());
	}

	/**
	 * Forget the jobs of the current thread and, if no other thread is running a test,
	 * those of all other threads.
	 */
	void clear() {
		Thread current = Thread.currentThread();
		Recording own = this.byThread.remove(current);
		if (own != null) {
			own.enqueued().forEach(this.found::remove);
		}
		if (this.testing.stream().allMatch(current::equals)) {
			this.byThread.clear();
			this.found.clear();
		}
	}

	/** Return a clock that has the time of the current thread. */
	Clock clock() {
		return this.clock;
	}

	private final class OfThread extends Clock {

		@Override
		public Instant instant() {
			return current().clock().instant();
		}

		@Override
		public ZoneId getZone() {
			return current().clock().getZone();
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return current().clock().withZone(zone);
		}

	}

}
