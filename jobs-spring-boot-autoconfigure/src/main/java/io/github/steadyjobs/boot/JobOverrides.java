package io.github.steadyjobs.boot;

import java.util.HashMap;
import java.util.Map;

import io.github.steadyjobs.definition.JobSettings;

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
			JobsPropertyException.throwUnless(dot > 0, PREFIX + key, value,
					"Name a job and an attribute of it, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'.");
			settings.merge(key.substring(0, dot), read(key, key.substring(dot + 1), value.trim()), JobOverrides::merge);
		});
		return settings;
	}

	private static JobSettings read(String key, String attribute, String value) {
		return switch (attribute) {
			case "queue" -> new JobSettings(queue(key, value), null, null);
			case "retries" -> new JobSettings(null, retries(key, value), null);
			case "dead" -> new JobSettings(null, null, dead(key, value));
			default -> throw new JobsPropertyException(PREFIX + key, value,
					"A job has no attribute '%s'. Use 'queue', 'retries' or 'dead'.".formatted(attribute));
		};
	}

	private static String queue(String key, String value) {
		JobsPropertyException.throwUnless(JobsProperties.isName(value), PREFIX + key, value,
				"Use 1 to 64 of the characters A-Za-z0-9_.- as the name of the queue.");
		return value;
	}

	private static Integer retries(String key, String value) {
		JobsPropertyException.throwUnless(value.matches("\\d{1,6}"), PREFIX + key, value,
				"Set it to a whole number, 0 or more.");
		return Integer.valueOf(value);
	}

	private static Boolean dead(String key, String value) {
		JobsPropertyException.throwUnless(value.matches("true|false"), PREFIX + key, value,
				"Set it to 'true' to keep the job when it is dead, or to 'false' to discard it.");
		return Boolean.valueOf(value);
	}

	private static JobSettings merge(JobSettings one, JobSettings other) {
		return new JobSettings((one.queue() != null) ? one.queue() : other.queue(),
				(one.retries() != null) ? one.retries() : other.retries(),
				(one.dead() != null) ? one.dead() : other.dead());
	}

}
