package io.github.steadyjobs.boot;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads {@code steadyjobs.recurring.<name>.<attribute>}. Names have dots, so only the
 * last one separates.
 */
final class RecurringOverrides {

	private static final String PREFIX = "steadyjobs.recurring.";

	private RecurringOverrides() {
	}

	/**
	 * Read all overrides, as {@link io.github.steadyjobs.recurring.RecurringSettings} has
	 * them. What they say is checked along with the annotation.
	 */
	static Map<String, Map<String, String>> read(Map<String, String> properties) {
		Map<String, Map<String, String>> overrides = new HashMap<>();
		properties.forEach((key, value) -> {
			int dot = key.lastIndexOf('.');
			JobsPropertyException.throwUnless(dot > 0, PREFIX + key, value,
					"Name a recurring job and an attribute of it, as in 'steadyjobs.recurring.nightly.cron'.");
			String attribute = attribute(key.substring(dot + 1));
			JobsPropertyException.throwUnless(!attribute.isEmpty(), PREFIX + key, value,
					"A recurring job has no attribute '%s'. Use one of '%s'.".formatted(key.substring(dot + 1),
							String.join("', '", attributes())));
			// The first of two spellings counts: it comes from the stronger source.
			overrides.computeIfAbsent(key.substring(0, dot), (name) -> new HashMap<>())
				.putIfAbsent(attribute, value.trim());
		});
		return overrides;
	}

	/**
	 * Return the names of the attributes as they are documented.
	 */
	static List<String> attributes() {
		return Arrays.stream(Attribute.values()).map(Attribute::dashed).toList();
	}

	/**
	 * Compare as Spring Boot does: environment variables have nothing between words.
	 */
	private static String attribute(String text) {
		String wanted = text.replaceAll("[_-]", "");
		return attributes().stream()
			.filter((attribute) -> attribute.replace("-", "").equalsIgnoreCase(wanted))
			.findAny()
			.orElse("");
	}

	/**
	 * What can be set.
	 */
	private enum Attribute {

		CRON, ZONE, EVERY, FROM, UNTIL, JITTER, MISSED, AT_MOST, OVERLAP;

		String dashed() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
