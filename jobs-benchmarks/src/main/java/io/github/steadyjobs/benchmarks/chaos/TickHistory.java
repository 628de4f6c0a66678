package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happened while recurring jobs ran.
 *
 * @param from the time before the ticks that count
 * @param to the latest time of one
 * @param lateAfter from when on the latest tick of a recurring job is missed
 * @param decisions what was decided, in that order
 * @param runs what ran
 * @param dues the times of the ticks of jobs that ran, by id, as their runs got them
 * @param told names and times of ticks that events have reported, separated by a space
 * @param incidents which fault hit which process
 */
record TickHistory(Instant from, Instant to, Duration lateAfter, List<TickDecision> decisions, List<Run> runs,
		Map<String, Instant> dues, Set<String> told, List<Incident> incidents) {

	/** How long after a fault everything may be late. */
	private static final Duration AFTERMATH = Duration.ofSeconds(10);

	/**
	 * Return the part that is about one recurring job.
	 */
	TickHistory of(List<TickDecision> decisions, List<Run> runs) {
		return new TickHistory(this.from, this.to, this.lateAfter, decisions, runs, this.dues, this.told,
				this.incidents);
	}

	/**
	 * Return whether there was a fault during a time, or shortly before it.
	 */
	boolean isDisturbed(Instant begin, Instant end) {
		return this.incidents.stream()
			.anyMatch((incident) -> incident.overlaps(begin.minus(AFTERMATH).toEpochMilli(), end.toEpochMilli()));
	}

}
