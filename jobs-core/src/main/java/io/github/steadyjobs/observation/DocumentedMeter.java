package io.github.steadyjobs.observation;

import java.util.List;
import java.util.function.Supplier;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A meter that is registered with the name, description and tags that it documents.
 * Methods take the values of tags in the order of {@link #tagNames()}.
 */
public interface DocumentedMeter extends MeterDocumentation {

	/** Return the details of the meter, from which everything else is derived. */
	Details details();

	@Override
	default String getName() {
		return details().name();
	}

	@Override
	default Meter.Type getType() {
		return details().type();
	}

	/** Return what the meter measures, as registries show it. */
	default String description() {
		return details().description();
	}

	/** Return the names of the tags. */
	default List<String> tagNames() {
		return details().tagNames();
	}

	@Override
	default @Nullable String getBaseUnit() {
		return (getType() == Meter.Type.TIMER) ? "seconds" : null;
	}

	@Override
	default KeyName[] getKeyNames() {
		return tagNames().stream().map((name) -> (KeyName) () -> name).toArray(KeyName[]::new);
	}

	default Counter counter(MeterRegistry registry, String... values) {
		return Counter.builder(getName()).description(description()).tags(tags(values)).register(registry);
	}

	default Timer timer(MeterRegistry registry, String... values) {
		return Timer.builder(getName()).description(description()).tags(tags(values)).register(registry);
	}

	default Gauge gauge(MeterRegistry registry, Supplier<Number> value, String... values) {
		return Gauge.builder(getName(), value).description(description()).tags(tags(values)).register(registry);
	}

	/** Return the tags with the given values. */
	default Tags tags(String... values) {
		List<String> names = tagNames();
		Assert.isTrue(names.size() == values.length, () -> "%s has the tags %s".formatted(getName(), names));
		Tags tags = Tags.empty();
		for (int i = 0; i < values.length; i++) {
			tags = tags.and(names.get(i), values[i]);
		}
		return tags;
	}

	/** The details of a meter. */
	record Details(String name, Meter.Type type, String description, List<String> tagNames) {

		public Details(String name, Meter.Type type, String description, String... tagNames) {
			this(name, type, description, List.of(tagNames));
		}

	}

}
