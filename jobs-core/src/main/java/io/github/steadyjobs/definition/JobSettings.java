package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;

/**
 * What configuration says about one job.
 *
 * @param values the options that it sets
 */
public record JobSettings(Map<JobOption, Object> values) {

	/** Says nothing. */
	public static final JobSettings NONE = new JobSettings(Map.of());

	public JobSettings {
		values = Map.copyOf(values);
	}

	/**
	 * Set an option, unless it is set already.
	 * @param name the name of the option, however it is spelt
	 * @param text what configuration says
	 * @return the settings with that option
	 * @throws IllegalArgumentException if there is no such option, or its value is wrong;
	 * the message says what to type
	 */
	public JobSettings with(String name, String text) {
		JobOption option = JobOption.find(name);
		Map<JobOption, Object> all = new EnumMap<>(Map.of(option, option.read(text)));
		all.putAll(this.values);
		return new JobSettings(all);
	}

	/**
	 * Return the value of an option that replaces no attribute of an annotation.
	 * @return the value, or {@code null} if configuration does not set it
	 */
	public <T> @Nullable T get(JobOption option, Class<T> type) {
		return type.cast(this.values.get(option));
	}

	boolean sets(JobOption option) {
		return this.values.containsKey(option);
	}

	/** Return the names of the options that are set and replace an attribute. */
	List<String> replacing(Class<? extends Annotation> annotation) {
		return this.values.keySet()
			.stream()
			.filter((option) -> option.replaces(annotation))
			.sorted()
			.map(JobOption::text)
			.toList();
	}

	/** Replace attributes of an annotation. */
	<A extends Annotation> A over(A annotation) {
		Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
		this.values.forEach((option, value) -> {
			if (option.replaces(annotation.annotationType())) {
				attributes.put(option.attribute(), value);
			}
		});
		@SuppressWarnings("unchecked")
		Class<A> type = (Class<A>) annotation.annotationType();
		return AnnotationUtils.synthesizeAnnotation(attributes, type, null);
	}

}
