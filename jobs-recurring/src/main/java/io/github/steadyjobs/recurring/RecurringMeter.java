package io.github.steadyjobs.recurring;

import java.util.List;

import io.github.steadyjobs.observation.DocumentedMeter;
import io.micrometer.core.instrument.Meter;

/**
 * The meters of recurring jobs, which {@link RecurringMetrics} registers.
 */
public enum RecurringMeter implements DocumentedMeter {

	/** Counts ticks. */
	TICKS("jobs.recurring.ticks", Meter.Type.COUNTER, "Ticks of recurring jobs", "name", "decision"),

	/** Times ticks that were not skipped. */
	LATENESS("jobs.recurring.lateness", Meter.Type.TIMER, "Time by which ticks of recurring jobs were late", "name");

	private final String name;

	private final Meter.Type type;

	private final String description;

	private final List<String> tagNames;

	RecurringMeter(String name, Meter.Type type, String description, String... tagNames) {
		this.name = name;
		this.type = type;
		this.description = description;
		this.tagNames = List.of(tagNames);
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public String description() {
		return this.description;
	}

	@Override
	public List<String> tagNames() {
		return this.tagNames;
	}

}
