package io.github.steadyjobs.boot;

import java.util.HashMap;
import java.util.Map;

import io.github.steadyjobs.definition.JobSettings;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Reads {@code steadyjobs.jobs.<name>.<attribute>}. Names of jobs have dots, so that only
 * the last one separates.
 */
final class JobOverrides {

	private static final String PREFIX = "steadyjobs.jobs.";

	private JobOverrides() {
	}

	static Map<String, JobSettings> read(Map<String, String> properties) {
		Map<String, JobSettings> settings = new HashMap<>();
		properties.forEach((key, value) -> {
			int dot = key.lastIndexOf('.');
			if (dot <= 0) {
				throw new InvalidConfigurationPropertyValueException(PREFIX + key, value,
						"It names a job or an attribute of one, not both, as 'steadyjobs.jobs.InvoiceJobs.send.queue' "
								+ "does.");
			}
			settings.merge(key.substring(0, dot), read(key, key.substring(dot + 1), value), JobOverrides::merge);
		});
		return settings;
	}

	private static JobSettings read(String key, String attribute, String value) {
		return switch (attribute) {
			case "queue" -> new JobSettings(value, null);
			case "retries" -> new JobSettings(null, number(key, value));
			default -> throw new InvalidConfigurationPropertyValueException(PREFIX + key, value,
					"A job has no attribute '%s'. There are 'queue' and 'retries'.".formatted(attribute));
		};
	}

	private static Integer number(String key, String value) {
		try {
			return Integer.valueOf(value.trim());
		}
		catch (NumberFormatException ex) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + key, value, "It is no whole number.");
		}
	}

	private static JobSettings merge(JobSettings one, JobSettings other) {
		return new JobSettings((one.queue() != null) ? one.queue() : other.queue(),
				(one.retries() != null) ? one.retries() : other.retries());
	}

}
