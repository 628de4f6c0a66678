package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.admin.RunTotals;

/**
 * A bar of the histogram: a class of run durations.
 *
 * @param label the range of durations, as text
 * @param count the number of runs with such a duration
 * @param share the length of the bar, in percent of the longest bar
 */
record Histogram(String label, long count, int share) {

	/** Return the classes from the fastest run to the slowest run. */
	static List<Histogram> of(RunTotals totals) {
		List<Long> counts = totals.histogram();
		List<Duration> begins = RunTotals.classes();
		long longest = counts.stream().mapToLong(Long::longValue).max().orElse(0);
		List<Histogram> classes = new ArrayList<>();
		for (int i = 0; i < counts.size(); i++) {
			int number = i;
			boolean isInside = counts.subList(0, i + 1).stream().anyMatch((count) -> count > 0)
					&& counts.subList(number, counts.size()).stream().anyMatch((count) -> count > 0);
			if (isInside) {
				String label = (i + 1 < begins.size())
						? Words.of("histogram.class", Format.duration(begins.get(i)),
								Format.duration(begins.get(i + 1)))
						: Words.of("histogram.last", Format.duration(begins.get(i)));
				long count = counts.get(i);
				classes.add(new Histogram(label, count, (int) ((100 * count + longest - 1) / longest)));
			}
		}
		return classes;
	}

}
