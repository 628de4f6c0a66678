package io.github.steadyjobs.test;

import java.time.Duration;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Finds ticks of a recurring job that are too close to each other.
 */
final class TickDistance {

	private static final int MOST_TICKS = 10_000;

	private static final Duration LONGEST = Duration.ofDays(5 * 365 + 2);

	private final RecurringJob job;

	private final Schedule schedule;

	private final Duration least;

	TickDistance(RecurringJob job, Duration least) {
		this.job = job;
		this.schedule = job.schedule();
		this.least = least;
	}

	/**
	 * Return the first two ticks that are too close to each other, or an empty list.
	 */
	List<Instant> findNearer(Instant after) {
		Instant end = after.plus(LONGEST);
		List<Instant> two = findNearer(after, end);
		// If the ticks are close together, the limit may have been reached before the
		// next clock change. So check the ticks around each clock change too.
		ZoneOffsetTransition change = this.schedule.zone().getRules().nextTransition(after);
		while (two.isEmpty() && change != null && change.getInstant().isBefore(end)) {
			Duration around = this.least.plus(this.schedule.jitter());
			two = findNearer(change.getInstant().minus(around), change.getInstant().plus(around));
			change = this.schedule.zone().getRules().nextTransition(change.getInstant());
		}
		return two;
	}

	private List<Instant> findNearer(Instant after, Instant end) {
		Instant before = null;
		Instant tick = next(after);
		for (int i = 0; i < MOST_TICKS && tick != null && !tick.isAfter(end); i++) {
			Instant runs = runs(tick, before);
			if (before != null && Duration.between(before, runs).compareTo(this.least) < 0) {
				return List.of(before, runs);
			}
			before = runs;
			tick = next(tick);
		}
		return List.of();
	}

	private @Nullable Instant next(Instant after) {
		return this.schedule.next(this.job.name(), after);
	}

	/**
	 * Return when a tick runs. A tick never runs before the previous tick, even if jitter
	 * delays the previous tick by more.
	 */
	private Instant runs(Instant tick, @Nullable Instant before) {
		Instant moved = this.schedule.jitter().isZero() ? tick
				: this.schedule.next(this.job.name(), tick.minusMillis(1), 1).get(0);
		return (before != null && before.isAfter(moved)) ? before : moved;
	}

}
