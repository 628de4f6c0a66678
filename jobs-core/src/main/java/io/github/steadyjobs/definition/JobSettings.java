package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The options that the configuration sets for one job.
 */
public record JobSettings(Map<JobOption, Object> values) {

	/** Settings that set no options. */
	public static final JobSettings NONE = new JobSettings(Map.of());

	public JobSettings {
		values = Map.copyOf(values);
	}

	/**
	 * Return these settings with an additional option, unless that option is already set.
	 * @param name the name of the option, in any spelling that Spring Boot accepts
	 * @param text the configured value
	 * @throws IllegalArgumentException if there is no such option, or if its value is
	 * invalid; the message says how to fix it
	 */
	public JobSettings with(String name, String text) {
		JobOption option = JobOption.find(name);
		Map<JobOption, Object> all = new EnumMap<>(Map.of(option, option.read(text)));
		all.putAll(this.values);
		return new JobSettings(all);
	}

	/**
	 * Return the value of an option, or {@code null} if the configuration does not set
	 * it.
	 */
	public <T> @Nullable T get(JobOption option, Class<T> type) {
		return type.cast(this.values.get(option));
	}

	boolean sets(JobOption option) {
		return this.values.containsKey(option);
	}

	/** Return the names of the options that are set and override an annotation. */
	List<String> overriding(Class<? extends Annotation> annotation) {
		return this.values.keySet()
			.stream()
			.filter((option) -> option.overrides(annotation))
			.sorted()
			.map(JobOption::text)
			.toList();
	}

}
