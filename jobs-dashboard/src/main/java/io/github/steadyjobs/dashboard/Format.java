package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats numbers and times for the pages.
 */
final class Format {

	private static final DateTimeFormatter SECOND = DateTimeFormatter
		.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private static final DateTimeFormatter FIELD = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private Format() {
	}

	static String number(long number) {
		return String.format(Locale.ENGLISH, "%,d", number);
	}

	/** Return a rounded percentage, which is 0 % or 100 % only if the exact value is. */
	static String percent(long part, long whole) {
		if (part == 0 || whole == 0) {
			return "0 %";
		}
		double percent = 100.0 * part / whole;
		if (percent < 0.1) {
			return "< 0.1 %";
		}
		if (percent > 99.9 && part < whole) {
			return "> 99.9 %";
		}
		return String.format(Locale.ENGLISH, (percent < 10) ? "%.1f %%" : "%.0f %%", percent);
	}

	/** Return a number with a plus or minus sign, unless it is zero. */
	static String signed(long number) {
		return ((number < 0) ? "−" : (number > 0) ? "+" : "") + number(Math.abs(number));
	}

	static String duration(Duration duration) {
		long millis = duration.toMillis();
		if (millis < 1000) {
			return millis + " ms";
		}
		if (millis < 60_000) {
			return String.format(Locale.ENGLISH, (millis < 10_000) ? "%.1f s" : "%.0f s", millis / 1000.0);
		}
		if (millis < 3_600_000) {
			return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
		}
		if (duration.toDays() == 0) {
			return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
		}
		return two(duration.toDays(), "d", duration.toHoursPart(), "h");
	}

	private static String two(long large, String largeUnit, int small, String smallUnit) {
		return (small == 0) ? large + " " + largeUnit : "%d %s %d %s".formatted(large, largeUnit, small, smallUnit);
	}

	/**
	 * Return a time in UTC. Browsers with JavaScript show it in the viewer's time zone.
	 * @param show the format: {@code minute} or {@code day} for the axis of a chart,
	 * {@code field} for a form field, otherwise with seconds
	 */
	static String time(Instant time, String show) {
		return switch (show) {
			case "minute" -> MINUTE.format(time);
			case "day" -> DAY.format(time);
			case "field" -> FIELD.format(time);
			default -> SECOND.format(time);
		};
	}

}
