package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;
import io.github.steadyjobs.benchmarks.chaos.Verdict.Duplicates;
import io.github.steadyjobs.benchmarks.chaos.Verdict.Recovery;

/**
 * Compares a history with the guarantees of the library.
 */
final class HistoryCheck {

	private final History history;

	private final Ownership ownership;

	private final int producer;

	private final Map<Integer, List<Run>> runs;

	/**
	 * Create a check.
	 * @param history what happened
	 * @param ownership knows which runs lost their jobs because of faults
	 * @param producer slot number of the producer in incidents
	 */
	HistoryCheck(History history, Ownership ownership, int producer) {
		this.history = history;
		this.ownership = ownership;
		this.producer = producer;
		this.runs = history.runs()
			.stream()
			.sorted(Comparator.comparingLong(Run::start))
			.collect(Collectors.groupingBy(Run::job));
	}

	Verdict verdict() {
		int executed = 0;
		int lost = 0;
		int forgotten = 0;
		int stuck = 0;
		int dead = 0;
		int accepted = 0;
		int unknown = 0;
		Duplicates duplicates = new Duplicates(0, 0, 0);
		for (Push push : this.history.pushes()) {
			List<Run> runs = this.runs.getOrDefault(push.job(), List.of());
			unknown += push.accepted() ? 0 : 1;
			if (!push.accepted() && runs.isEmpty()) {
				continue;
			}
			accepted++;
			Set<String> ids = ids(push, runs);
			boolean done = runs.stream().anyMatch(Run::isDone);
			boolean live = ids.stream().anyMatch(this.history.places().live()::contains);
			boolean buried = this.history.dead().contains(push.job());
			executed += done ? 1 : 0;
			stuck += live ? 1 : 0;
			dead += buried ? 1 : 0;
			boolean deleted = ids.stream().anyMatch(this.history.deleted()::contains);
			boolean gone = !(done || live || buried || deleted);
			boolean lostWithData = gone && wasForgotten(push);
			lost += (gone && !lostWithData) ? 1 : 0;
			forgotten += lostWithData ? 1 : 0;
			duplicates = duplicates.plus(duplicates(push, runs, ids.size()));
		}
		return new Verdict(accepted, executed, lost, forgotten, stuck, dead, unknown, duplicates, recovery());
	}

	private boolean wasForgotten(Push push) {
		return this.history.incidents()
			.stream()
			.anyMatch((incident) -> incident.kind() == Kind.FORGOTTEN && incident.overlaps(push.from(), push.to()));
	}

	private static Set<String> ids(Push push, List<Run> runs) {
		return Stream.concat(Stream.ofNullable(push.id()), runs.stream().map(Run::id)).collect(Collectors.toSet());
	}

	private Duplicates duplicates(Push push, List<Run> runs, int ids) {
		List<Run> done = runs.stream().filter(Run::isDone).toList();
		int all = Math.max(0, done.size() - 1);
		if (all == 0) {
			return new Duplicates(0, 0, 0);
		}
		// Different ids mean different jobs. A fault that hits a worker never turns one
		// job into two.
		int twins = Math.min(all, ids - 1);
		int fromFaults = Math.min(all - twins, (int) done.stream().filter(this.ownership::wasTaken).count());
		int others = all - twins - fromFaults;
		boolean disturbed = this.history.incidents()
			.stream()
			.filter((incident) -> incident.kind() == Kind.CUT_OFF && incident.hits(this.producer))
			.anyMatch((incident) -> incident.overlaps(push.from(), push.to()));
		return new Duplicates(fromFaults, twins + (disturbed ? others : 0), disturbed ? 0 : others);
	}

	/**
	 * Count runs that ended after their job had been started again elsewhere.
	 */
	private int lateEnds() {
		return (int) this.runs.values()
			.stream()
			.flatMap((runs) -> runs.stream().filter((run) -> runs.stream().anyMatch(run::isOvertakenBy)))
			.count();
	}

	private Recovery recovery() {
		List<Long> times = new ArrayList<>();
		for (List<Run> runs : this.runs.values()) {
			Map<Long, Long> recovered = new HashMap<>();
			for (Run run : runs) {
				OptionalLong killed = (run.ending() != Run.Ending.FAILED) ? this.ownership.killed(run)
						: OptionalLong.empty();
				if (killed.isPresent()) {
					long at = killed.getAsLong();
					runs.stream()
						.mapToLong(Run::start)
						.filter((start) -> start > at)
						.min()
						.ifPresent((start) -> recovered.put(at, start - at));
				}
			}
			times.addAll(recovered.values());
		}
		return new Recovery(times.size(), times.stream().mapToLong(Long::longValue).max().orElse(0), lateEnds());
	}

}
