package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.definition.JobOption;
import io.github.steadyjobs.pause.PauseGate.Limit;
import io.github.steadyjobs.pause.Pauses.Target;

import org.springframework.boot.convert.DurationStyle;

/**
 * Parses properties that determine when failures pause a job or a queue. For example,
 * {@code 10,1m,30s} means that ten failures within a minute cause a pause of half a
 * minute.
 */
final class BreakerSpec {

	private static final Pattern FORM = Pattern.compile("(\\d{1,6}) *, *(\\d+[a-z]+) *, *(\\d+[a-z]+)");

	private BreakerSpec() {
	}

	/**
	 * Return all breakers of an application.
	 * @throws JobsPropertyException if a property cannot be parsed
	 */
	static Map<Target, Limit> readAll(JobsProperties properties) {
		Map<Target, Limit> breakers = new HashMap<>();
		properties.queues().forEach((name, queue) -> {
			if (queue.breaker() != null) {
				breakers.put(Target.queue(name),
						parse("steadyjobs.queues.%s.breaker".formatted(name), queue.breaker()));
			}
		});
		JobOverrides.jobs(properties.jobs()).forEach((name, job) -> {
			String breaker = job.get(JobOption.BREAKER, String.class);
			if (breaker != null) {
				breakers.put(Target.job(name), parse("steadyjobs.jobs.%s.breaker".formatted(name), breaker));
			}
		});
		return breakers;
	}

	static Limit parse(String property, String value) {
		Matcher parts = FORM.matcher(value.trim());
		try {
			if (parts.matches()) {
				return new Limit(Integer.parseInt(parts.group(1)), duration(parts.group(2)), duration(parts.group(3)));
			}
		}
		catch (IllegalArgumentException ex) {
			// A number or a duration is invalid. The error is reported below.
		}
		throw new JobsPropertyException(property, value,
				"Set it to a number of failures from 1 to 10000, the time within which they occur, and the length of the pause that follows, each time with its unit, as in '10,1m,30s'.");
	}

	private static Duration duration(String text) {
		return DurationStyle.detectAndParse(text);
	}

}
