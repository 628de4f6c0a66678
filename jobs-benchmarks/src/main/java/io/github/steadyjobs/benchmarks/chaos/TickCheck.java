package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import org.jspecify.annotations.Nullable;

/**
 * Determines for each tick of one recurring job why it ran or did not run.
 */
final class TickCheck {

	/** How long it may take until Redis knows that a run has ended. */
	private static final Duration SETTLEMENT = Duration.ofSeconds(2);

	private final TickSpec spec;

	private final TickHistory history;

	private final List<Instant> ticks;

	private final Map<Instant, List<TickDecision>> decisions = new HashMap<>();

	private final List<TickDecision> passing = new ArrayList<>();

	/** The ends of completed runs, by job id. */
	private final Map<String, Instant> ends = new HashMap<>();

	/** The ids of the jobs of each tick, by the tick's due time. */
	private final TreeMap<Instant, Set<String>> ids = new TreeMap<>();

	/**
	 * Create a check.
	 * @param spec the recurring job
	 * @param history the history of this recurring job only
	 */
	TickCheck(TickSpec spec, TickHistory history) {
		this.spec = spec;
		this.history = history;
		this.ticks = spec.ticks(history.from(), history.to());
		TickDecision before = null;
		for (TickDecision decision : history.decisions()) {
			this.decisions.computeIfAbsent(decision.last(), (tick) -> new ArrayList<>()).add(decision);
			this.passing.add((decision.first() != null) ? decision : afterwards(before, decision));
			before = decision;
		}
		for (Run run : history.runs()) {
			this.ids.computeIfAbsent(history.dues().getOrDefault(run.id(), Instant.EPOCH), (due) -> new HashSet<>())
				.add(run.id());
			if (run.isDone()) {
				this.ends.merge(run.id(), Instant.ofEpochMilli(run.end()),
						(one, other) -> one.isBefore(other) ? one : other);
			}
		}
	}

	/**
	 * Return a copy of a decision whose first tick is unknown. The copy begins after the
	 * decision before it.
	 */
	private static TickDecision afterwards(@Nullable TickDecision before, TickDecision decision) {
		Instant first = (before != null) ? before.last().plusMillis(1) : Instant.EPOCH;
		return new TickDecision(decision.name(), first, decision.last(), decision.at(), decision.letter(),
				decision.job());
	}

	/**
	 * Return the ticks that have to be explained.
	 */
	List<Instant> ticks() {
		return this.ticks;
	}

	Reason reason(Instant tick) {
		Instant due = this.spec.due(tick);
		if (isDone(due)) {
			return Reason.RAN;
		}
		List<TickDecision> made = this.decisions.getOrDefault(tick, List.of());
		if (!made.isEmpty()) {
			return reason(made.get(made.size() - 1), due);
		}
		return this.passing.stream()
			.filter((decision) -> decision.passesOver(tick))
			.findFirst()
			.map((decision) -> missed(tick, decision))
			.orElse(Reason.NONE);
	}

	private boolean isDone(Instant due) {
		return this.ids.getOrDefault(due, Set.of()).stream().anyMatch(this.ends::containsKey);
	}

	private Reason reason(TickDecision decision, Instant due) {
		Overlap overlap = this.spec.policies().overlap();
		if (decision.isSkipped()) {
			boolean isLate = due.plus(this.history.lateAfter()).isBefore(decision.at());
			return (this.spec.policies().missed() == Missed.SKIP && isLate) ? Reason.SKIPPED : Reason.NONE;
		}
		if (decision.isOverlapped()) {
			return (overlap != Overlap.ALLOW && isUnfinished(decision)) ? Reason.OVERLAPPED : Reason.NONE;
		}
		// The job of another tick may have run instead, because only one job may wait.
		return (decision.isQueued() && overlap == Overlap.QUEUE_ONE && isDoneSince(due)) ? Reason.QUEUED : Reason.NONE;
	}

	/**
	 * Return whether the job that a tick encountered had not ended when the decision was
	 * made.
	 */
	private boolean isUnfinished(TickDecision decision) {
		Instant end = this.ends.get(decision.job());
		if (end == null) {
			// The end of the run may not have been recorded, but the run must have begun.
			return this.history.runs().stream().anyMatch((run) -> run.id().equals(decision.job()));
		}
		Instant known = end.plus(SETTLEMENT);
		return !known.isBefore(decision.at()) || this.history.isDisturbed(end, known);
	}

	private boolean isDoneSince(Instant due) {
		return this.ids.tailMap(due, true).values().stream().flatMap(Set::stream).anyMatch(this.ends::containsKey);
	}

	private Reason missed(Instant tick, TickDecision decision) {
		Instant due = this.spec.due(tick);
		return switch (this.spec.policies().missed()) {
			case SKIP -> Reason.SKIPPED;
			// The tick that replaces all missed ticks may have encountered an earlier
			// job.
			case RUN_ONCE -> decision.isSkipped() ? Reason.NONE : Reason.STOOD_FOR;
			case RUN_ALL -> (this.spec.ticks(due, decision.at()).size() >= this.spec.policies().atMost())
					? Reason.SKIPPED : Reason.NONE;
		};
	}

	/**
	 * Count the superfluous jobs: a tick may create only one job.
	 */
	int doubles() {
		int doubles = this.ids.values().stream().mapToInt((some) -> some.size() - 1).sum();
		return doubles + this.decisions.values()
			.stream()
			.mapToInt((made) -> Math.max(0, (int) made.stream().filter(TickDecision::hasJob).count() - 1))
			.sum();
	}

	/**
	 * Return runs that had not failed, but whose job was started again nevertheless: the
	 * run had been completed or interrupted, or its process had ended.
	 */
	List<Run> repeated() {
		Map<String, Run> before = new HashMap<>();
		List<Run> repeated = new ArrayList<>();
		this.history.runs().stream().sorted(Comparator.comparingLong(Run::start)).forEach((run) -> {
			Run last = before.put(run.id(), run);
			if (last != null && last.ending() != Run.Ending.FAILED) {
				repeated.add(last);
			}
		});
		return repeated;
	}

	/**
	 * Count the ticks that no event reported although no fault hit them.
	 */
	int untold() {
		return (int) this.ticks.stream().filter((tick) -> {
			Instant due = this.spec.due(tick);
			return !this.history.told().contains(this.spec.name() + " " + due.toEpochMilli()) && this.passing.stream()
				.filter((decision) -> decision.last().equals(tick))
				.anyMatch((decision) -> !this.history.isDisturbed(due, decision.at()));
		}).count();
	}

	/**
	 * Return by how much each tick was late, in milliseconds, leaving out ticks that were
	 * hit by a fault.
	 */
	List<Long> lateness() {
		List<Long> lateness = new ArrayList<>();
		for (Instant tick : this.ticks) {
			Instant due = this.spec.due(tick);
			this.passing.stream()
				.filter((decision) -> decision.last().equals(tick) || decision.passesOver(tick))
				.findFirst()
				.filter((decision) -> !this.history.isDisturbed(due, decision.at()))
				.ifPresent((decision) -> lateness.add(Duration.between(due, decision.at()).toMillis()));
		}
		return lateness;
	}

	/**
	 * Return the delay from each tick to the start of its job, in milliseconds, except
	 * for ticks that were hit by a fault.
	 */
	List<Long> beginnings() {
		Map<String, Long> begun = new HashMap<>();
		this.history.runs().forEach((run) -> begun.merge(run.id(), run.start(), Math::min));
		List<Long> beginnings = new ArrayList<>();
		for (Instant tick : this.ticks) {
			Instant due = this.spec.due(tick);
			List<TickDecision> made = this.decisions.getOrDefault(tick, List.of());
			Long start = made.isEmpty() || !made.get(0).hasJob() ? null : begun.get(made.get(0).job());
			if (start != null && !this.history.isDisturbed(due, Instant.ofEpochMilli(start))) {
				beginnings.add(start - due.toEpochMilli());
			}
		}
		return beginnings;
	}

	/**
	 * Why a tick ran or did not run.
	 */
	enum Reason {

		/** The job of the tick ran once or several times. */
		RAN,

		/** The tick was missed, and the run of a later tick replaces it. */
		STOOD_FOR,

		/** The tick was missed, and its recurring job skips missed ticks. */
		SKIPPED,

		/** The job of an earlier tick had not ended. */
		OVERLAPPED,

		/**
		 * The run of an earlier tick was followed by a run for this tick or for a later
		 * tick.
		 */
		QUEUED,

		/** There is no explanation. */
		NONE

	}

}
