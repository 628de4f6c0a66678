package io.github.steadyjobs.benchmarks.chaos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.benchmarks.chaos.TickCheck.Reason;

/**
 * A summary of what happened to all ticks.
 */
final class TickVerdict {

	private final Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);

	private final List<String> unexplained = new ArrayList<>();

	private final List<Long> lateness = new ArrayList<>();

	private final List<Long> beginnings = new ArrayList<>();

	private int doubles;

	private int repeated;

	private int repeatedWithoutFault;

	private int untold;

	private TickVerdict() {
	}

	/**
	 * Judge a history.
	 * @param ownership knows which runs were taken from their processes by faults
	 */
	static TickVerdict of(List<TickSpec> specs, TickHistory history, Ownership ownership) {
		Map<String, List<TickDecision>> decisions = history.decisions()
			.stream()
			.collect(Collectors.groupingBy(TickDecision::name));
		Map<Integer, List<Run>> runs = history.runs().stream().collect(Collectors.groupingBy(Run::job));
		TickVerdict verdict = new TickVerdict();
		for (TickSpec spec : specs) {
			TickHistory own = history.of(decisions.getOrDefault(spec.name(), List.of()),
					runs.getOrDefault(spec.number(), List.of()));
			verdict.add(spec, new TickCheck(spec, own), own, ownership);
		}
		return verdict;
	}

	private void add(TickSpec spec, TickCheck check, TickHistory history, Ownership ownership) {
		for (Instant tick : check.ticks()) {
			Reason reason = check.reason(tick);
			this.reasons.merge(reason, 1, Integer::sum);
			if (reason == Reason.NONE) {
				this.unexplained.add(describe(spec, tick, history));
			}
		}
		this.lateness.addAll(check.lateness());
		this.beginnings.addAll(check.beginnings());
		this.doubles += check.doubles();
		this.untold += check.untold();
		List<Run> repeated = check.repeated();
		this.repeated += repeated.size();
		this.repeatedWithoutFault += (int) repeated.stream().filter((run) -> !ownership.wasTaken(run)).count();
	}

	private static String describe(TickSpec spec, Instant tick, TickHistory history) {
		List<TickDecision> near = history.decisions()
			.stream()
			.filter((decision) -> !decision.last().isBefore(tick.minus(spec.period())))
			.limit(3)
			.toList();
		return "%s of %s (%s): %s".formatted(tick, spec.name(), spec.policies(), near);
	}

	/**
	 * Describe the unexplained ticks.
	 */
	List<String> unexplained() {
		return this.unexplained;
	}

	boolean isClean() {
		return this.unexplained.isEmpty() && this.doubles == 0 && this.repeatedWithoutFault == 0;
	}

	Map<String, Object> figures() {
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("ticks", this.reasons.values().stream().mapToInt(Integer::intValue).sum());
		Arrays.stream(Reason.values())
			.filter((reason) -> reason != Reason.NONE)
			.forEach((reason) -> figures.put(reason.name().toLowerCase(Locale.ROOT),
					this.reasons.getOrDefault(reason, 0)));
		figures.put("unexplained", this.unexplained.size());
		figures.put("double", this.doubles);
		figures.put("runs_repeated", this.repeated);
		figures.put("runs_repeated_without_fault", this.repeatedWithoutFault);
		figures.put("untold_outside_faults", this.untold);
		put(figures, "tick", this.lateness);
		put(figures, "begin", this.beginnings);
		return figures;
	}

	private static void put(Map<String, Object> figures, String name, List<Long> millis) {
		Collections.sort(millis);
		figures.put(name + "s_outside_faults", millis.size());
		figures.put(name + "_late_ms_p50", quantile(millis, 0.5));
		figures.put(name + "_late_ms_p99", quantile(millis, 0.99));
		figures.put(name + "_late_ms_max", quantile(millis, 1));
	}

	private static long quantile(List<Long> sorted, double quantile) {
		return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, (int) (sorted.size() * quantile)));
	}

}
