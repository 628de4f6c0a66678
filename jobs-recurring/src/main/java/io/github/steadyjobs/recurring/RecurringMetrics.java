package io.github.steadyjobs.recurring;

import java.util.Locale;

import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the ticks of recurring jobs that this process has handled:
 * {@code jobs.recurring.ticks} with the tags {@code name} and {@code decision}, and
 * {@code jobs.recurring.lateness} with the tag {@code name} for the lateness of ticks
 * that were not {@link Decision#SKIPPED skipped}. Thread safe.
 */
public final class RecurringMetrics implements RecurringTick.Listener {

	private final MeterRegistry registry;

	public RecurringMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void told(RecurringTick tick) {
		RecurringMeter.TICKS.counter(this.registry, tick.name(), tick.decision().name().toLowerCase(Locale.ROOT))
			.increment(tick.count());
		// Skipped ticks run no jobs, and may be days old.
		if (tick.decision() != Decision.SKIPPED) {
			RecurringMeter.LATENESS.timer(this.registry, tick.name()).record(tick.lateness());
		}
	}

}
