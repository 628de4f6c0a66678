package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A record of what happened while recurring jobs ran.
 *
 * @param from start of the period whose ticks count, exclusive
 * @param to end of the period whose ticks count, inclusive
 * @param lateAfter delay after which the latest tick of a recurring job counts as missed
 * @param decisions the decisions, in order
 * @param runs all runs
 * @param dues due time of the tick for which each job was created, by job id
 * @param told names and times of ticks that events have reported, separated by a space
 * @param incidents which fault hit which process
 */
record TickHistory(Instant from, Instant to, Duration lateAfter, List<TickDecision> decisions, List<Run> runs,
		Map<String, Instant> dues, Set<String> told, List<Incident> incidents) {

	/** The time after a fault during which ticks and runs may still be late. */
	private static final Duration AFTERMATH = Duration.ofSeconds(10);

	/**
	 * Return the part of the history that concerns one recurring job.
	 */
	TickHistory of(List<TickDecision> decisions, List<Run> runs) {
		return new TickHistory(this.from, this.to, this.lateAfter, decisions, runs, this.dues, this.told,
				this.incidents);
	}

	/**
	 * Return whether a fault occurred during a period, or shortly before it.
	 */
	boolean isDisturbed(Instant begin, Instant end) {
		return this.incidents.stream()
			.anyMatch((incident) -> incident.overlaps(begin.minus(AFTERMATH).toEpochMilli(), end.toEpochMilli()));
	}

}
