package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;

/**
 * Records which fault hit which process, and prints each incident. Thread-safe.
 */
final class Incidents {

	private final Queue<Incident> all = new ConcurrentLinkedQueue<>();

	private final long start = System.currentTimeMillis();

	void add(Kind kind, int slot, long from, long to) {
		this.all.add(new Incident(kind, slot, from, to));
	}

	List<Incident> all() {
		return new ArrayList<>(this.all);
	}

	/**
	 * Print a line for the user.
	 */
	void say(String text, Object... args) {
		System.err.printf("%7.1f s  %s%n", (System.currentTimeMillis() - this.start) / 1000.0, text.formatted(args));
	}

}
