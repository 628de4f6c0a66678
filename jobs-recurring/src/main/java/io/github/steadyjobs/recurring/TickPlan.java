package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A plan for the due ticks of a recurring job. All ticks except the latest are missed,
 * because later ticks are due too. The latest tick is missed if it is too late.
 *
 * @param passed the latest of the skipped ticks, earliest first
 * @param more the number of ticks that are skipped in addition to {@code passed}; a lower
 * bound if more than 100,000 ticks are due
 * @param handled the ticks after the skipped ticks, earliest first; all except the latest
 * tick are missed ticks to make up for
 * @param latest the decision about the latest handled tick
 * @param next the tick after all handled ticks, {@code null} if there is no such tick
 */
record TickPlan(List<Instant> passed, long more, List<Instant> handled, Decision latest, @Nullable Instant next) {

	/**
	 * The maximum number of due ticks that are counted one by one, which takes tens of
	 * milliseconds. After that, the plan skips ahead to the latest ticks.
	 */
	private static final int COUNTED = 100_000;

	/**
	 * Make a plan.
	 * @param due the earliest tick that has not been handled yet, which must be due
	 * @param lateAfter how late the latest tick may be before it counts as missed
	 */
	static TickPlan of(RecurringJob job, Instant due, Instant now, Duration lateAfter) {
		Deque<Instant> ticks = new ArrayDeque<>();
		long count = 0;
		Instant next = due;
		while (next != null && !job.moved(next).isAfter(now)) {
			if (count == COUNTED) {
				// After such a long time, only the latest ticks matter.
				next = latest(job, next, now);
			}
			ticks.add(next);
			if (ticks.size() > RecurringJob.MOST_MISSED) {
				ticks.remove();
			}
			count++;
			next = job.schedule().next(job.name(), next);
		}
		boolean missed = job.moved(ticks.getLast()).isBefore(now.minus(lateAfter));
		Decision latest = !missed ? Decision.ENQUEUED
				: (job.missed() == Missed.SKIP) ? Decision.SKIPPED : Decision.MADE_UP;
		int most = (job.missed() != Missed.RUN_ALL) ? 1 : missed ? job.atMost() : job.atMost() + 1;
		List<Instant> listed = List.copyOf(ticks);
		int split = Math.max(0, listed.size() - most);
		return new TickPlan(listed.subList(0, split), count - listed.size(), listed.subList(split, listed.size()),
				latest, next);
	}

	/**
	 * Skip ahead to a later tick that is still followed by enough due ticks to fill the
	 * list. Return the given tick if none is found.
	 */
	private static Instant latest(RecurringJob job, Instant from, Instant now) {
		Instant middle = job.schedule().next(job.name(), from.plus(Duration.between(from, now).dividedBy(2)));
		if (middle == null) {
			return from;
		}
		List<Instant> rest = job.schedule().next(job.name(), middle, RecurringJob.MOST_MISSED);
		boolean isFull = rest.size() == RecurringJob.MOST_MISSED && !rest.get(rest.size() - 1).isAfter(now);
		return isFull ? latest(job, middle, now) : from;
	}

}
