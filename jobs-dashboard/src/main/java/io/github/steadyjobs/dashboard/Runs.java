package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.RunTotals;

/**
 * The runs of a period.
 *
 * @param begin when the first column begins
 * @param columns the runs, in equal parts of the period
 * @param marks marks such as deployments, the oldest first
 */
record Runs(Period period, Instant begin, List<RunTotals> columns, List<Mark> marks) {

	RunTotals total() {
		return this.columns.stream().reduce(RunTotals.NONE, RunTotals::plus);
	}

	/** Return the beginning of a column; after the last one, its end. */
	Instant begin(int column) {
		return this.begin.plus(this.period.step().multipliedBy(column));
	}

}
