package io.github.steadyjobs.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.definition.JobSettings;

/**
 * Reads {@code steadyjobs.jobs.<name>.<option>} and
 * {@code steadyjobs.recurring.<name>.<attribute>}. Names may contain dots, so only the
 * last dot is a separator.
 */
final class JobOverrides {

	/** The documented names of the attributes of recurring jobs. */
	static final List<String> RECURRING = List.of("cron", "zone", "every", "from", "until", "jitter", "missed",
			"at-most", "overlap");

	private JobOverrides() {
	}

	static Map<String, JobSettings> jobs(Map<String, String> properties) {
		return read(properties, "steadyjobs.jobs.",
				"Name a job and an attribute of it, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'.", JobSettings.NONE,
				JobSettings::with);
	}

	/**
	 * Read all overrides of recurring jobs, in the form that {@code RecurringSettings}
	 * uses. Values are validated later, together with the annotation.
	 */
	static Map<String, Map<String, String>> recurring(Map<String, String> properties) {
		return read(properties, "steadyjobs.recurring.",
				"Name a recurring job and an attribute of it, as in 'steadyjobs.recurring.nightly.cron'.", Map.of(),
				JobOverrides::with);
	}

	private static Map<String, String> with(Map<String, String> set, String name, String text) {
		Map<String, String> all = new HashMap<>(set);
		all.putIfAbsent(attribute(name), text);
		return all;
	}

	/**
	 * Find an attribute by comparing names as Spring Boot does, because names of
	 * environment variables have no separators between words.
	 */
	private static String attribute(String name) {
		String wanted = name.replaceAll("[_-]", "");
		return RECURRING.stream()
			.filter((attribute) -> attribute.replace("-", "").equalsIgnoreCase(wanted))
			.findAny()
			.orElseThrow(() -> new IllegalArgumentException("A recurring job has no attribute '%s'. Use one of '%s'."
				.formatted(name, String.join("', '", RECURRING))));
	}

	private static <T> Map<String, T> read(Map<String, String> properties, String prefix, String example, T none,
			Setter<T> setter) {
		Map<String, T> all = new HashMap<>();
		properties.forEach((key, value) -> {
			int dot = key.lastIndexOf('.');
			JobsPropertyException.throwUnless(dot > 0, prefix + key, value, example);
			String name = key.substring(0, dot);
			try {
				// If an option is spelt in two ways, the first spelling wins, because it
				// comes from the property source with the higher precedence.
				all.put(name, setter.set(all.getOrDefault(name, none), key.substring(dot + 1), value.trim()));
			}
			catch (IllegalArgumentException ex) {
				throw new JobsPropertyException(prefix + key, value.trim(), String.valueOf(ex.getMessage()));
			}
		});
		return all;
	}

	/**
	 * Sets an attribute. If the name or the value is invalid, throws an
	 * {@link IllegalArgumentException} that describes the correct form.
	 */
	@FunctionalInterface
	private interface Setter<T> {

		T set(T set, String name, String text);

	}

}
