package io.github.steadyjobs.benchmarks.chaos;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The outcome of a run of the chaos program.
 *
 * @param verdict what happened to the jobs
 * @param order whether ordered jobs kept their order
 * @param findings the findings of audits during and after the chaos
 * @param fencedOff number of runs whose end did not count because the job had been given
 * to another worker
 * @param faults number of injected faults by kind
 * @param deeds number of actions of the operator by kind
 * @param progress how long recovery took
 * @param seed the random seed
 */
record ChaosResult(Verdict verdict, KeyOrder order, Auditor.Findings findings, int fencedOff,
		Map<Fault, Integer> faults, Map<String, Integer> deeds, Progress progress, long seed) {

	boolean isClean() {
		return this.verdict.lost() == 0 && this.verdict.stuck() == 0 && this.order.isKept()
				&& this.findings.inTwoPlaces() == 0 && this.findings.violations() == 0 && this.findings.locksLeft() == 0
				&& (isUndisturbed() || !this.progress.isHung());
	}

	/**
	 * Return whether Redis kept all data. If so, the time to settle depends only on the
	 * remaining work.
	 */
	private boolean isUndisturbed() {
		return !this.faults.containsKey(Fault.OLDER_DATA);
	}

	Map<String, Object> figures() {
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("accepted", this.verdict.accepted());
		figures.put("executed_at_least_once", this.verdict.executed());
		figures.put("lost", this.verdict.lost());
		figures.put("lost_with_data", this.verdict.forgotten());
		figures.put("duplicate_runs", this.verdict.duplicates().all());
		figures.put("in_two_places", this.findings.inTwoPlaces());
		figures.put("stuck", this.verdict.stuck());
		figures.put("fenced_off", this.fencedOff);
		figures.put("crashes_recovered", this.verdict.recovery().jobs());
		figures.put("max_recovery_s", this.verdict.recovery().longest() / 1000.0);
		figures.put("audit_violations", this.findings.violations());
		figures.put("locks_left", this.findings.locksLeft());
		figures.put("duplicates_from_faults", this.verdict.duplicates().fromFaults());
		figures.put("duplicates_from_resent_push", this.verdict.duplicates().fromPushes());
		figures.put("duplicates_unexplained", this.verdict.duplicates().unexplained());
		figures.put("ordered", this.order.payloads());
		figures.put("ordered_runs", this.order.runs());
		figures.put("order_violations", this.order.violations().size());
		figures.put("keys_at_once", this.order.atOnce().size());
		figures.put("late_ends", this.verdict.recovery().lateEnds());
		figures.put("dead", this.verdict.dead());
		figures.put("pushes_unanswered", this.verdict.unknown());
		figures.put("settled_after_s", this.progress.settled());
		figures.put("longest_standstill_s", this.progress.standstill());
		figures.put("seed", this.seed);
		Map<String, Integer> faults = new LinkedHashMap<>();
		for (Fault fault : Fault.values()) {
			faults.put(fault.toString(), this.faults.getOrDefault(fault, 0));
		}
		figures.put("faults", faults);
		figures.put("operator", this.deeds);
		return figures;
	}

	/**
	 * How long recovery took.
	 *
	 * @param settled seconds from the last fault and push until all jobs had ended
	 * @param standstill the longest time between two runs of the recurring job, in
	 * seconds
	 */
	record Progress(double settled, double standstill) {

		private static final double MOST = 120;

		boolean isHung() {
			return this.settled > MOST || this.standstill > MOST;
		}

	}

}
