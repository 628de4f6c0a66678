package io.github.steadyjobs.recurring;

import io.github.steadyjobs.observation.DocumentedMeter;
import io.micrometer.core.instrument.Meter;

/**
 * The meters of recurring jobs, which {@link RecurringMetrics} registers.
 */
public enum RecurringMeter implements DocumentedMeter {

	/** Counts ticks by recurring job and decision. */
	TICKS("jobs.recurring.ticks", Meter.Type.COUNTER, "Ticks of recurring jobs", "name", "decision"),

	/**
	 * Measures the time from when a tick was due until it was handled. Skipped ticks do
	 * not count.
	 */
	LATENESS("jobs.recurring.lateness", Meter.Type.TIMER, "Time by which ticks of recurring jobs were late", "name");

	private final Details details;

	RecurringMeter(String name, Meter.Type type, String description, String... tagNames) {
		this.details = new Details(name, type, description, tagNames);
	}

	@Override
	public Details details() {
		return this.details;
	}

}
