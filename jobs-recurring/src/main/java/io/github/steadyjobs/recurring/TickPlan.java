package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What happens to the ticks of a recurring job that are due by now. All but the latest
 * are missed, because their successors are due too. The latest is missed if it is late.
 *
 * @param runs the ticks that make jobs, the earliest first
 * @param skipped the latest of those that make none, the earliest first
 * @param more how many more make none beyond those that are listed; a lower bound
 * @param missed whether all ticks that run are missed ones
 * @param next the tick after all of these, {@code null} if there is none
 */
record TickPlan(List<Instant> runs, List<Instant> skipped, long more, boolean missed, @Nullable Instant next) {

	/** The most ticks that may be made up for, so more need not be listed. */
	private static final int LISTED = RecurringJob.MOST_MISSED;

	/** Counting this many takes some tens of milliseconds. */
	private static final int COUNTED = 100_000;

	/**
	 * Make a plan.
	 * @param due the earliest tick that is not handled yet, which is due
	 * @param lateAfter how late the latest tick may be before it counts as missed
	 */
	static TickPlan of(RecurringJob job, Instant due, Instant now, Duration lateAfter) {
		Deque<Instant> ticks = new ArrayDeque<>();
		long count = 0;
		Instant next = due;
		while (next != null && !job.schedule().moved(job.name(), next).isAfter(now)) {
			if (count == COUNTED) {
				// After such a long time only the latest ones matter.
				next = latest(job, next, now);
			}
			ticks.add(next);
			if (ticks.size() > LISTED) {
				ticks.remove();
			}
			count++;
			next = job.schedule().next(job.name(), next);
		}
		return split(job, new ArrayList<>(ticks), count, now.minus(lateAfter), next);
	}

	private static TickPlan split(RecurringJob job, List<Instant> ticks, long count, Instant missedBefore,
			@Nullable Instant next) {
		Instant latest = job.schedule().moved(job.name(), ticks.get(ticks.size() - 1));
		boolean missed = latest.isBefore(missedBefore);
		int most = switch (job.missed()) {
			case SKIP -> missed ? 0 : 1;
			case RUN_ONCE -> 1;
			case RUN_ALL -> missed ? job.atMost() : job.atMost() + 1;
		};
		int split = Math.max(0, ticks.size() - most);
		return new TickPlan(List.copyOf(ticks.subList(split, ticks.size())), List.copyOf(ticks.subList(0, split)),
				count - ticks.size(), missed, next);
	}

	/** Return a tick that is far enough back to fill the list, but not much further. */
	private static Instant latest(RecurringJob job, Instant from, Instant now) {
		Instant begin = from;
		Duration span = Duration.between(from, now).dividedBy(2);
		// Halves the time while enough ticks are left in it.
		while (span.compareTo(Schedule.PRECISION) > 0) {
			Instant middle = job.schedule().next(job.name(), now.minus(span));
			if (middle == null
					|| job.schedule().next(job.name(), middle, LISTED).stream().anyMatch((t) -> t.isAfter(now))) {
				return begin;
			}
			begin = middle;
			span = span.dividedBy(2);
		}
		return begin;
	}

}
