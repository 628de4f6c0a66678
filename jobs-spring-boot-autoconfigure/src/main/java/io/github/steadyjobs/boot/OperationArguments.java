package io.github.steadyjobs.boot;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.admin.JobsActor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * The arguments of a request to the endpoint, without its path. All arguments are
 * strings, so that an error message can say exactly which argument is wrong. Spring Boot
 * would only say that the request is invalid.
 */
final class OperationArguments {

	private static final Duration LONGEST = Duration.ofDays(100_000);

	private final Map<String, String> values = new HashMap<>();

	private final Set<String> empty = new HashSet<>();

	private final boolean showsValues;

	private final Function<@Nullable String, String> user;

	/**
	 * Create arguments.
	 * @param showsValues whether the caller may see the values of jobs
	 * @param user determines the user, given the name in the request; that name is
	 * {@code null} if the request names nobody
	 * @param namesAndValues names, each followed by its value; an empty value counts as
	 * missing, because forms send empty values
	 */
	OperationArguments(boolean showsValues, Function<@Nullable String, String> user,
			@Nullable String... namesAndValues) {
		this.showsValues = showsValues;
		this.user = user;
		for (int i = 0; i < namesAndValues.length; i += 2) {
			String value = namesAndValues[i + 1];
			if (StringUtils.hasLength(value)) {
				this.values.put(Objects.requireNonNull(namesAndValues[i]), value);
			}
			else if (value != null) {
				this.empty.add(Objects.requireNonNull(namesAndValues[i]));
			}
		}
	}

	boolean showsValues() {
		return this.showsValues;
	}

	/**
	 * Return the user who is logged in or, if nobody is logged in, the user that the
	 * request names. If the request names nobody, return the name of the application.
	 */
	String user() {
		String who = this.values.get("who");
		if (who != null
				&& (who.isBlank() || who.length() > JobsActor.LONGEST_NAME || !who.equals(Names.printable(who)))) {
			throw OperationRefusedException
				.badRequest("'who' must be 1 to %d printable characters on one line, but is '%s'"
					.formatted(JobsActor.LONGEST_NAME, Names.printable(who)));
		}
		return this.user.apply(who);
	}

	@Nullable String text(String name) {
		return this.values.get(name);
	}

	String text(String name, String otherwise) {
		return this.values.getOrDefault(name, otherwise);
	}

	/**
	 * Return whether the request contains an empty value for this name.
	 */
	boolean isEmpty(String name) {
		return this.empty.contains(name);
	}

	String required(String name, String meaning) {
		String value = this.values.get(name);
		if (value == null) {
			throw OperationRefusedException.badRequest("'%s' is missing: %s".formatted(name, meaning));
		}
		return value;
	}

	long number(String name, long otherwise) {
		String value = this.values.get(name);
		if (value == null) {
			return otherwise;
		}
		if (!value.matches("\\d{1,18}")) {
			throw OperationRefusedException
				.badRequest("'%s' must be a whole number, but is '%s'".formatted(name, value));
		}
		return Long.parseLong(value);
	}

	boolean flag(String name) {
		String value = this.values.getOrDefault(name, "false");
		if (!value.equals("true") && !value.equals("false")) {
			throw OperationRefusedException
				.badRequest("'%s' must be true or false, but is '%s'".formatted(name, value));
		}
		return value.equals("true");
	}

	int size(int otherwise) {
		// If the size is above the limit of a page, the read is rejected later.
		return (int) Math.min(number("size", otherwise), Integer.MAX_VALUE);
	}

	/**
	 * Return a time that the request specifies as a point in time or as a duration from
	 * now.
	 * @return the time; {@code null} if there is no such argument
	 */
	@Nullable Instant later(String name) {
		return time(name, 1);
	}

	/**
	 * Return a time that the request specifies as a point in time or as a duration before
	 * now.
	 */
	Instant earlier(String name, Instant otherwise) {
		Instant time = time(name, -1);
		return (time != null) ? time : otherwise;
	}

	private @Nullable Instant time(String name, int direction) {
		String value = this.values.get(name);
		if (value == null) {
			return null;
		}
		try {
			if (value.matches("\\d{4}-.*")) {
				return Instant.parse(value);
			}
			Duration distance = DurationStyle.detectAndParse(value);
			if (!distance.isNegative() && distance.compareTo(LONGEST) < 0) {
				return Instant.now().plus(distance.multipliedBy(direction));
			}
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			// The error is reported below.
		}
		throw OperationRefusedException.badRequest(
				"'%s' must be a time such as 2026-01-31T12:00:00Z, or a duration %s, such as 90s, 10m or 2h, but is '%s'"
					.formatted(name, (direction > 0) ? "from now on" : "that has passed since", value));
	}

	<E extends Enum<E>> E oneOf(Class<E> type, String name, String value) {
		for (E constant : type.getEnumConstants()) {
			if (text(constant).equals(value)) {
				return constant;
			}
		}
		throw OperationRefusedException.badRequest("'%s' must be one of %s, but is '%s'".formatted(name,
				Arrays.stream(type.getEnumConstants()).map(OperationArguments::text).toList(), value));
	}

	/**
	 * Return the name of a constant as it is used in requests.
	 */
	static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
