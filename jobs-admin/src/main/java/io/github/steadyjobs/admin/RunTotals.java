package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.admin.RunCounts.Count;

import org.springframework.util.Assert;

/**
 * The runs of a period. A run counts when it has ended by itself, with success or with a
 * failure; not if it was skipped, put off or cut short by a shutdown.
 *
 * @param runs how many runs there were
 * @param failed how many of them failed
 * @param dead how many of those failures made their job dead
 * @param discarded how many of those failures discarded their job
 * @param ran how long all runs took together, to the millisecond
 * @param begun how many runs began, including those that have not ended
 * @param waited how long their jobs had been ready by then in total, to the millisecond
 * @param histogram how many runs are in each of the {@link #classes()} of run times
 */
public record RunTotals(long runs, long failed, long dead, long discarded, Duration ran, long begun, Duration waited,
		List<Long> histogram) {

	/** Nothing has run. */
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
	 * Return where each of the 26 classes of run times begins, from 0. It ends where the
	 * next one begins; the last class, from 10 minutes, has no end.
	 */
	public static List<Duration> classes() {
		return IntStream.range(0, RunCounts.CLASSES).mapToObj((i) -> Duration.ofMillis(RunCounts.beginOf(i))).toList();
	}

	/** Return how long a run took on average, zero if there were none. */
	public Duration meanRun() {
		return (this.runs > 0) ? this.ran.dividedBy(this.runs) : Duration.ZERO;
	}

	/** Return how long a job was ready before it began on average, zero if none began. */
	public Duration meanWait() {
		return (this.begun > 0) ? this.waited.dividedBy(this.begun) : Duration.ZERO;
	}

	/**
	 * Estimate from the histogram the run time that a part of the runs did not exceed.
	 * The estimate is in the same class as the exact value.
	 * @param part the part of the runs, above 0 and at most 1: 0.5 is the median
	 * @return the time, zero without runs; 10 minutes if it is that or more
	 * @throws IllegalArgumentException if the part is out of range
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

	/** Return the sums of these totals and those of another period or another job. */
	public RunTotals plus(RunTotals other) {
		List<Long> sums = IntStream.range(0, RunCounts.CLASSES)
			.mapToObj((i) -> this.histogram.get(i) + other.histogram.get(i))
			.toList();
		return new RunTotals(this.runs + other.runs, this.failed + other.failed, this.dead + other.dead,
				this.discarded + other.discarded, this.ran.plus(other.ran), this.begun + other.begun,
				this.waited.plus(other.waited), sums);
	}

}
