package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.admin.RunCounts.Count;

import org.springframework.util.Assert;

/**
 * The totals of the runs in a period. A run counts if it either succeeded or failed. It
 * does not count if it was skipped, postponed or interrupted by a shutdown.
 *
 * @param runs the number of runs
 * @param failed the number of runs that failed
 * @param dead the number of failures after which the job was dead
 * @param discarded the number of failures after which the job was discarded
 * @param ran the total duration of all runs, to the millisecond
 * @param begun the number of runs that began, including those that have not ended
 * @param waited the total time for which the jobs had been ready before these runs began,
 * to the millisecond
 * @param histogram the number of runs in each of the {@link #classes() run time classes}
 */
public record RunTotals(long runs, long failed, long dead, long discarded, Duration ran, long begun, Duration waited,
		List<Long> histogram) {

	/** The totals of a period without runs. */
	public static final RunTotals NONE = of(new RunCounts());

	public RunTotals {
		Assert.isTrue(histogram.size() == RunCounts.CLASSES,
				() -> "'histogram' must have %d numbers".formatted(RunCounts.CLASSES));
		histogram = List.copyOf(histogram);
	}

	static RunTotals of(RunCounts counts) {
		List<Long> histogram = IntStream.range(0, RunCounts.CLASSES).mapToObj(counts::get).toList();
		long runs = histogram.stream().mapToLong(Long::longValue).sum();
		long dead = counts.get(Count.DEAD.index());
		long discarded = counts.get(Count.DISCARDED.index());
		return new RunTotals(runs, counts.get(Count.RETRIED.index()) + dead + discarded, dead, discarded,
				Duration.ofMillis(counts.get(Count.RAN.index())), counts.get(Count.BEGUN.index()),
				Duration.ofMillis(counts.get(Count.WAITED.index())), histogram);
	}

	/**
	 * Return the beginning of each of the 26 run time classes, starting at 0. Each class
	 * ends where the next class begins. The last class begins at 10 minutes and has no
	 * end.
	 */
	public static List<Duration> classes() {
		return IntStream.range(0, RunCounts.CLASSES).mapToObj((i) -> Duration.ofMillis(RunCounts.beginOf(i))).toList();
	}

	/** Return the average run time, or zero if there were no runs. */
	public Duration meanRun() {
		return (this.runs > 0) ? this.ran.dividedBy(this.runs) : Duration.ZERO;
	}

	/**
	 * Return the average time for which a job was ready before it began, or zero if no
	 * job began.
	 */
	public Duration meanWait() {
		return (this.begun > 0) ? this.waited.dividedBy(this.begun) : Duration.ZERO;
	}

	/**
	 * Estimate a percentile of the run times from the histogram. The estimate is in the
	 * same class as the exact value.
	 * @param part the fraction of runs that take at most the returned time, greater than
	 * 0 and at most 1; 0.5 for the median
	 * @return the run time; zero if there were no runs; 10 minutes if the exact value is
	 * 10 minutes or more
	 * @throws IllegalArgumentException if the fraction is out of range
	 */
	public Duration percentile(double part) {
		Assert.isTrue(part > 0 && part <= 1, () -> "'part' must be above 0 and at most 1, but is " + part);
		double wanted = part * this.runs;
		long before = 0;
		for (int i = 0; i < RunCounts.CLASSES; i++) {
			long inClass = this.histogram.get(i);
			if (inClass > 0 && before + inClass >= wanted) {
				long begin = RunCounts.beginOf(i);
				double inside = (RunCounts.beginOf(i + 1) - begin) * (wanted - before) / inClass;
				return Duration.ofNanos(Math.round((begin + inside) * 1e6));
			}
			before += inClass;
		}
		return Duration.ZERO;
	}

	/** Return the sum of these totals and the totals of another period or another job. */
	public RunTotals plus(RunTotals other) {
		List<Long> sums = IntStream.range(0, RunCounts.CLASSES)
			.mapToObj((i) -> this.histogram.get(i) + other.histogram.get(i))
			.toList();
		return new RunTotals(this.runs + other.runs, this.failed + other.failed, this.dead + other.dead,
				this.discarded + other.discarded, this.ran.plus(other.ran), this.begun + other.begun,
				this.waited.plus(other.waited), sums);
	}

}
