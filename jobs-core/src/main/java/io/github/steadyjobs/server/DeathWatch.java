package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.Beat;

/**
 * Decides which processes are dead: those whose heartbeat counter has not changed for a
 * while, by the clock of this process alone. Counts only while this process reads the
 * counters without a gap, as a stall of Redis or a pause of its own would look like the
 * death of everybody else. Thread safe.
 */
final class DeathWatch {

	private final long deathAfter;

	private final long longestGap;

	private final Map<String, Readings> queues = new HashMap<>();

	/**
	 * Create a watch.
	 * @param deathAfter how long a counter stands still before its process is dead; a
	 * third of it is the longest gap between two readings
	 */
	DeathWatch(Duration deathAfter) {
		this.deathAfter = deathAfter.toNanos();
		this.longestGap = this.deathAfter / 3;
	}

	/**
	 * Take note of the counters of a queue.
	 * @param queue the queue
	 * @param counters processes and their counters
	 * @param now the present {@link System#nanoTime()}
	 * @return the processes that are dead
	 */
	synchronized List<Death> read(String queue, Map<String, Long> counters, long now) {
		Readings readings = this.queues.computeIfAbsent(queue, (name) -> new Readings());
		if (now - readings.last > this.longestGap) {
			readings.sightings.clear();
		}
		readings.last = now;
		readings.sightings.keySet().retainAll(counters.keySet());
		List<Death> deaths = new ArrayList<>();
		counters.forEach((process, counter) -> {
			Sighting sighting = readings.sightings.get(process);
			if (sighting == null || sighting.counter != counter) {
				readings.sightings.put(process, new Sighting(counter, now));
			}
			// Whoever began to recover the jobs of a fenced one has had a beat's time.
			else if (counter == Beat.FENCED_COUNTER || now - sighting.since >= this.deathAfter) {
				deaths.add(new Death(queue, process, counter));
			}
		});
		return deaths;
	}

	/**
	 * A process that is dead.
	 *
	 * @param queue the queue that it had joined
	 * @param process its name there
	 * @param counter where its counter stands
	 */
	record Death(String queue, String process, long counter) {

	}

	private record Sighting(long counter, long since) {

	}

	private static final class Readings {

		private final Map<String, Sighting> sightings = new HashMap<>();

		private long last;

	}

}
