package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.RunTotals;

/**
 * A chart of runs over time, in the units of an SVG that is stretched to fit the page.
 * Failures are at the bottom of each column, so that their heights can be compared.
 */
final class Chart {

	static final int HEIGHT = 100;

	/** Width of a column and the gap after it. */
	private static final int STEP = 10;

	private static final int GAP = 2;

	/** The minimum height of a number above zero, so that a single failure is visible. */
	private static final double LEAST = 1;

	private static final int LABELS = 4;

	private static final long[] TENTHS = { 12, 16, 20, 24, 30, 40, 50, 60, 80 };

	private final Runs runs;

	private final long top;

	Chart(Runs runs) {
		this.runs = runs;
		this.top = roundUp(runs.columns().stream().mapToLong(RunTotals::runs).max().orElse(0));
	}

	/** Round a number up to an even number with few significant digits. */
	static long roundUp(long number) {
		if (number <= 10) {
			return Math.max(4, number + number % 2);
		}
		long power = 10;
		while (power * 10 < number) {
			power *= 10;
		}
		for (long tenths : TENTHS) {
			if (power / 10 * tenths >= number) {
				return power / 10 * tenths;
			}
		}
		return power * 10;
	}

	int width() {
		return this.runs.columns().size() * STEP;
	}

	/** Return the number of runs that the upper edge represents. */
	long top() {
		return this.top;
	}

	/** Return the columns with at least one run. */
	List<Column> columns() {
		List<Column> columns = new ArrayList<>();
		for (int i = 0; i < this.runs.columns().size(); i++) {
			RunTotals totals = this.runs.columns().get(i);
			if (totals.runs() > 0) {
				double failed = height(totals.failed());
				double done = height(totals.runs() - totals.failed());
				columns.add(new Column(i * STEP + GAP / 2, this.runs.begin(i), totals,
						new Part(number(HEIGHT - failed - done), number(done)),
						new Part(number(HEIGHT - failed), number(failed))));
			}
		}
		return columns;
	}

	int columnWidth() {
		return STEP - GAP;
	}

	private double height(long runs) {
		return (runs > 0) ? Math.max(LEAST, (HEIGHT - LEAST) * runs / this.top) : 0;
	}

	private static String number(double number) {
		return String.format(Locale.ROOT, "%.1f", number);
	}

	/** Return the marks, each with the position of its vertical line. */
	List<Line> marks() {
		return this.runs.marks().stream().map((mark) -> new Line(number(position(mark.at())), mark)).toList();
	}

	private double position(Instant time) {
		double steps = (double) Duration.between(this.runs.begin(), time).toMillis()
				/ this.runs.period().step().toMillis();
		return steps * STEP;
	}

	/**
	 * Return times for the labels of the axis, at equal distances from the left edge to
	 * the right edge.
	 */
	List<Instant> labels() {
		return IntStream.rangeClosed(0, LABELS)
			.mapToObj((i) -> this.runs.begin(this.runs.columns().size() * i / LABELS))
			.toList();
	}

	/**
	 * A column, in the units of the SVG.
	 *
	 * @param x the left edge
	 * @param begin the time at which its part of the period begins
	 * @param totals the runs that the column represents
	 * @param done the upper part, for runs that succeeded
	 * @param failed the lower part, for runs that failed
	 */
	record Column(int x, Instant begin, RunTotals totals, Part done, Part failed) {

	}

	/** A part of a column, with its upper edge and its height. */
	record Part(String y, String height) {

	}

	/** A mark, with the position of its vertical line. */
	record Line(String x, Mark mark) {

	}

}
