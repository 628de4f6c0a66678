package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;

/**
 * Builds histories by hand. There are three workers; times are milliseconds.
 */
final class Histories {

	static final int PRODUCER = 3;

	private final List<Push> pushes = new ArrayList<>();

	private final List<Run> runs = new ArrayList<>();

	private final List<Incident> incidents = new ArrayList<>();

	private Places places = new Places(Set.of(), Set.of(), Set.of());

	Histories accepted(int job) {
		this.pushes.add(new Push(job, "id" + job, 0, 10));
		return this;
	}

	Histories unanswered(int job) {
		this.pushes.add(new Push(job, null, 0, 10));
		return this;
	}

	Histories done(int job, int slot, long start, long end) {
		return run(job, "id" + job, slot, start, end);
	}

	Histories run(int job, String id, int slot, long start, long end) {
		this.runs.add(new Run(slot, job, id, start, end, Run.Ending.DONE));
		return this;
	}

	Histories cutShort(int job, int slot, long start) {
		this.runs.add(new Run(slot, job, "id" + job, start, Run.NEVER, Run.Ending.NONE));
		return this;
	}

	Histories incident(Kind kind, int slot, long from, long to) {
		this.incidents.add(new Incident(kind, slot, from, to));
		return this;
	}

	Histories live(String... ids) {
		this.places = new Places(Set.of(ids), this.places.dead(), Set.of());
		return this;
	}

	Histories dead(String... ids) {
		this.places = new Places(this.places.live(), Set.of(ids), Set.of());
		return this;
	}

	Verdict verdict(String... options) {
		return new HistoryCheck(new History(this.pushes, this.runs, this.incidents, this.places),
				new Ownership(this.incidents, ChaosOptions.parse(options).timing()), PRODUCER)
			.verdict();
	}

}
