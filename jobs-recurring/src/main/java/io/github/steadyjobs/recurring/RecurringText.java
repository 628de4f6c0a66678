package io.github.steadyjobs.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job as annotations, configuration and people write it: each attribute of
 * {@code @Recurring} as text. What is missing or empty has its default.
 */
final class RecurringText {

	private final Map<String, String> attributes;

	RecurringText(Map<String, String> attributes) {
		this.attributes = attributes;
	}

	/**
	 * Read all attributes.
	 * @throws InvalidRecurringJobException if one of them is invalid; the message says
	 * which, and what is valid
	 */
	RecurringJob read(String name, String job, String queue) {
		Integer atMost = attribute("at-most", "a number from 1 to 1,000", Integer::valueOf, 0);
		return new RecurringJob(name, job, queue, schedule(), constant("missed", Missed.RUN_ONCE),
				Objects.requireNonNull(atMost), constant("overlap", Overlap.SKIP));
	}

	private Schedule schedule() {
		String cron = get("cron");
		String every = get("every");
		InvalidRecurringJobException.throwUnless(!(cron.isEmpty() && every.isEmpty()),
				"neither 'cron' nor 'every' is set; set one of them");
		InvalidRecurringJobException.throwUnless(cron.isEmpty() || every.isEmpty(),
				"'cron' is '%s' and 'every' is '%s'; set one of them, and the other one to nothing if it is set elsewhere",
				cron, every);
		ZoneId zone = Objects.requireNonNull(
				attribute("zone", "the name of a zone, as in Europe/Berlin or UTC", ZoneId::of, ZoneId.of("UTC")));
		return new Schedule(cron.isEmpty() ? null : cron, zone, time("every", null), instant("from", zone),
				instant("until", zone), Objects.requireNonNull(time("jitter", Duration.ZERO)));
	}

	private String get(String attribute) {
		return this.attributes.getOrDefault(attribute, "").trim();
	}

	private <T> @Nullable T attribute(String attribute, String rule, Function<String, @Nullable T> parser,
			@Nullable T otherwise) {
		String text = get(attribute);
		if (text.isEmpty()) {
			return otherwise;
		}
		try {
			T value = parser.apply(text);
			if (value != null) {
				return value;
			}
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			// Reported below, in terms of the attribute.
		}
		throw new InvalidRecurringJobException(Reason.INVALID,
				"'%s' must be %s, but is '%s'".formatted(attribute, rule, text), null);
	}

	private @Nullable Duration time(String attribute, @Nullable Duration otherwise) {
		return attribute(attribute, "a time with its unit, as in 90s, 10m, 6h, 7d or PT6H",
				(text) -> text.matches("0+\\s*[a-z]*") ? Duration.ZERO : IdempotenceDefaults.time(text), otherwise);
	}

	private @Nullable Instant instant(String attribute, ZoneId zone) {
		return attribute(attribute, "a time such as 2026-12-01, 2026-12-01T06:00 or 2026-12-01T06:00:00Z", (text) -> {
			if (text.matches(".*T.*(Z|[+-]\\d\\d:?\\d\\d)")) {
				return Instant.parse(text);
			}
			return (text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay()).atZone(zone)
				.toInstant();
		}, null);
	}

	private <E extends Enum<E>> E constant(String attribute, E otherwise) {
		Class<E> type = otherwise.getDeclaringClass();
		return Objects.requireNonNull(attribute(attribute, "one of " + Arrays.toString(type.getEnumConstants()),
				(text) -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')), otherwise));
	}

}
