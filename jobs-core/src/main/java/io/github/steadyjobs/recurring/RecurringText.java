package io.github.steadyjobs.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job as annotations, configuration and people write it: each attribute of
 * {@link Recurring} as text. What is missing or empty has its default.
 */
final class RecurringText {

	private final Map<String, String> attributes;

	RecurringText(Map<String, String> attributes) {
		this.attributes = attributes;
	}

	boolean isOff() {
		return get("cron").equals(Recurring.OFF) || get("every").equals(Recurring.OFF);
	}

	/**
	 * Return what is set beside that which switches it off, or {@code null}.
	 */
	@Nullable String setAllTheSame() {
		return Stream.of("cron", "every")
			.filter((attribute) -> !List.of("", Recurring.OFF).contains(get(attribute)))
			.findAny()
			.orElse(null);
	}

	/**
	 * Read all attributes.
	 * @throws InvalidRecurringJobException if one of them cannot be so; the message says
	 * which, and how it can be
	 */
	RecurringJob read(String name, String job, String queue) {
		Missed missed = constant("missed", Missed.class, Missed.RUN_ONCE);
		Overlap overlap = constant("overlap", Overlap.class, Overlap.SKIP);
		return new RecurringJob(name, job, queue, schedule(), missed, number("at-most"), overlap);
	}

	private Schedule schedule() {
		String cron = get("cron");
		String every = get("every");
		InvalidRecurringJobException.throwUnless(!(cron.isEmpty() && every.isEmpty()),
				() -> "neither 'cron' nor 'every' is set; set one of them");
		InvalidRecurringJobException.throwUnless(cron.isEmpty() || every.isEmpty(),
				() -> "'cron' is '%s' and 'every' is '%s'; set one of them, and the other one to nothing if it comes from elsewhere"
					.formatted(cron, every));
		ZoneId named = attribute("zone", "the name of a zone, as in Europe/Berlin or UTC", ZoneId::of);
		ZoneId zone = (named != null) ? named : ZoneId.of("UTC");
		Schedule schedule = cron.isEmpty() ? Schedule.every(Objects.requireNonNull(time("every")))
				: Schedule.cron(cron, zone);
		Instant from = instant("from", zone);
		Instant until = instant("until", zone);
		Duration jitter = time("jitter");
		schedule = (from != null) ? schedule.from(from) : schedule;
		schedule = (until != null) ? schedule.until(until) : schedule;
		return (jitter != null) ? schedule.jitter(jitter) : schedule;
	}

	private String get(String attribute) {
		return this.attributes.getOrDefault(attribute, "").trim();
	}

	private <T> @Nullable T attribute(String attribute, String rule, Function<String, @Nullable T> parser) {
		String text = get(attribute);
		if (text.isEmpty()) {
			return null;
		}
		try {
			T value = parser.apply(text);
			if (value != null) {
				return value;
			}
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			// Told below, in the words of the attribute.
		}
		throw new InvalidRecurringJobException(Reason.INVALID,
				"'%s' must be %s, and is '%s'".formatted(attribute, rule, text), null);
	}

	private @Nullable Duration time(String attribute) {
		return attribute(attribute, "a time with its unit, as in 90s, 10m, 6h, 7d or PT6H", (text) -> {
			if (text.matches("0+\\s*[a-z]*")) {
				return Duration.ZERO;
			}
			return IdempotenceDefaults.time(text);
		});
	}

	private @Nullable Instant instant(String attribute, ZoneId zone) {
		return attribute(attribute, "a time such as 2026-12-01, 2026-12-01T06:00 or 2026-12-01T06:00:00Z", (text) -> {
			if (text.matches(".*T.*(Z|[+-]\\d\\d:?\\d\\d)")) {
				return Instant.parse(text);
			}
			return (text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay()).atZone(zone)
				.toInstant();
		});
	}

	private int number(String attribute) {
		Integer number = attribute(attribute, "a number from 1 to 1,000", Integer::valueOf);
		return (number != null) ? number : 0;
	}

	private <E extends Enum<E>> E constant(String attribute, Class<E> type, E otherwise) {
		E constant = attribute(attribute, "one of " + Arrays.toString(type.getEnumConstants()),
				(text) -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')));
		return (constant != null) ? constant : otherwise;
	}

}
