package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;

/**
 * Builds histories by hand. There are three workers. Times are in milliseconds.
 */
final class Histories {

	static final int PRODUCER = 3;

	private final List<Push> pushes = new ArrayList<>();

	private final List<Run> runs = new ArrayList<>();

	private final List<Incident> incidents = new ArrayList<>();

	private Set<Integer> dead = Set.of();

	private Places places = new Places(Set.of(), Set.of(), Set.of());

	Histories accepted(int job) {
		this.pushes.add(new Push(job, null, "id" + job, 0, 10));
		return this;
	}

	Histories unanswered(int job) {
		this.pushes.add(new Push(job, null, null, 0, 10));
		return this;
	}

	Histories done(int job, int slot, long start, long end) {
		return run(job, "id" + job, slot, start, end);
	}

	Histories run(int job, String id, int slot, long start, long end) {
		this.runs.add(new Run(slot, job, id, 1, start, end, Run.Ending.DONE));
		return this;
	}

	Histories cutShort(int job, int slot, long start) {
		this.runs.add(new Run(slot, job, "id" + job, 1, start, Run.NEVER, Run.Ending.NONE));
		return this;
	}

	Histories incident(Kind kind, int slot, long from, long to) {
		this.incidents.add(new Incident(kind, slot, from, to));
		return this;
	}

	Histories live(String... ids) {
		this.places = new Places(Set.of(ids), Set.of(), Set.of());
		return this;
	}

	Histories dead(Integer... jobs) {
		this.dead = Set.of(jobs);
		return this;
	}

	/**
	 * Add the push of a payload.
	 */
	Histories pushed(int job, String key, int version, long from, long to) {
		this.pushes.add(new Push(job, new Update(key, version), "id of " + key, from, to));
		return this;
	}

	/**
	 * Add the push of a payload that was not answered.
	 */
	Histories unansweredPayload(int job, String key, int version, long from, long to) {
		this.pushes.add(new Push(job, new Update(key, version), null, from, to));
		return this;
	}

	/**
	 * Add the run of a payload.
	 * @param token fencing token of the claim
	 */
	Histories ran(int job, int slot, long token, long start, long end) {
		Run.Ending ending = (end == Run.NEVER) ? Run.Ending.NONE : Run.Ending.DONE;
		this.runs.add(new Run(slot, job, "id of its key", token, start, end, ending));
		return this;
	}

	Verdict verdict() {
		return new HistoryCheck(history(), ownership(), PRODUCER).verdict();
	}

	KeyOrder order() {
		return new KeyOrderCheck(history(), ownership()).verdict();
	}

	private History history() {
		return new History(this.pushes, this.runs, this.incidents, this.places, this.dead, Set.of());
	}

	private Ownership ownership() {
		return new Ownership(this.incidents, ChaosOptions.parse(new String[0]).timing());
	}

}
