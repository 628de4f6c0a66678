package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.RunTotals;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a period as a panel shows them.
 *
 * @param runs the runs in each part of the period
 * @param total the totals of all these runs
 * @param chart the runs over time
 * @param page the page that contains the panel
 * @param name the name of the jobs, {@code null} for all jobs
 */
record Throughput(Runs runs, RunTotals total, Chart chart, String page, @Nullable String name) {

	private static final int MOST_MARKS = 6;

	/** Return the throughput of all jobs together. */
	static Throughput of(Runs runs) {
		return new Throughput(runs, runs.total(), new Chart(runs), Area.OVERVIEW.page(), null);
	}

	/** Return the throughput of the jobs of a name. */
	static Throughput of(String name, Runs runs) {
		return new Throughput(runs, runs.total(), new Chart(runs), NamePage.NAME, name);
	}

	/** Return the address of the same panel for another period. */
	String address(Period period) {
		return Address.of(this.page, "name", this.name, "period", Visit.text(period));
	}

	Period period() {
		return this.runs.period();
	}

	boolean isEmpty() {
		return this.total.runs() == 0;
	}

	String summary() {
		return Words.of("chart.summary." + Visit.text(period()), this.total.runs(), this.total.failed());
	}

	Duration median() {
		return this.total.percentile(0.5);
	}

	Duration slow() {
		return this.total.percentile(0.95);
	}

	/** Return the latest marks, the newest first. */
	List<Mark> latestMarks() {
		List<Mark> marks = new ArrayList<>(this.runs.marks());
		Collections.reverse(marks);
		return marks.subList(0, Math.min(marks.size(), MOST_MARKS));
	}

}
