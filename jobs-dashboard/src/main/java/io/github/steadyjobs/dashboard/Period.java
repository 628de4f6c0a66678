package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.RunTotals;
import org.jspecify.annotations.Nullable;

/**
 * The period that a chart covers, divided into columns.
 */
enum Period {

	/** The last hour, with a column for each minute. */
	HOUR(60, Duration.ofMinutes(1), Duration.ofSeconds(10)),

	/** The last day, with a column for each quarter of an hour. */
	DAY(96, Duration.ofMinutes(15), Duration.ofMinutes(1)),

	/** The last 90 days, with a column for each day in UTC, as in the history. */
	QUARTER(90, Duration.ofDays(1), Duration.ofMinutes(1));

	private final int columns;

	private final Duration step;

	private final Duration kept;

	Period(int columns, Duration step, Duration kept) {
		this.columns = columns;
		this.step = step;
		this.kept = kept;
	}

	Duration step() {
		return this.step;
	}

	/** Return how long a sample of this period is used before it is read again. */
	Duration kept() {
		return this.kept;
	}

	/**
	 * Read the runs of this period, in two round trips.
	 * @param name the name of a job, {@code null} for all jobs together
	 */
	Runs read(JobHistory history, @Nullable String name, Instant now) {
		Instant begin = begin(now);
		List<RunTotals> columns = new ArrayList<>(Collections.nCopies(this.columns, RunTotals.NONE));
		if (this == QUARTER) {
			LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
			LocalDate first = today.minusDays(this.columns - 1L);
			((name != null) ? history.days(name, first, today) : history.days(first, today))
				.forEach((day, totals) -> add(columns, begin, day.atStartOfDay(ZoneOffset.UTC).toInstant(), totals));
		}
		else {
			((name != null) ? history.minutes(name, begin, now) : history.minutes(begin, now))
				.forEach((minute, totals) -> add(columns, begin, minute, totals));
		}
		return new Runs(this, begin, List.copyOf(columns), history.marks(begin, now));
	}

	/** Return the beginning of the first column. The last column has not ended yet. */
	Instant begin(Instant now) {
		long step = this.step.toSeconds();
		return Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), step) * step - step * (this.columns - 1));
	}

	private void add(List<RunTotals> columns, Instant begin, Instant at, RunTotals totals) {
		int column = (int) Duration.between(begin, at).dividedBy(this.step);
		if (column >= 0 && column < this.columns) {
			columns.set(column, columns.get(column).plus(totals));
		}
	}

}
