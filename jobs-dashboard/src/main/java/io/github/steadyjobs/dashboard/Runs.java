package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.RunTotals;

/**
 * The runs of a period.
 *
 * @param begin when the first column begins
 * @param columns the runs in each part of the period; all parts are equally long
 * @param marks marks such as deployments, the oldest first
 */
record Runs(Period period, Instant begin, List<RunTotals> columns, List<Mark> marks) {

	RunTotals total() {
		return this.columns.stream().reduce(RunTotals.NONE, RunTotals::plus);
	}

	/** Return when a column begins; after the last column, when the period ends. */
	Instant begin(int column) {
		return this.begin.plus(this.period.step().multipliedBy(column));
	}

}
