package io.github.steadyjobs.dashboard;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request from a viewer. Its parameters are checked when they are read.
 */
final class Visit {

	/** The maximum length of a text with several lines. */
	static final int LONGEST_AREA = 200_000;

	private static final int LONGEST = 4000;

	private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

	private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z?");

	private final HttpServletRequest request;

	private final Viewer viewer;

	Visit(HttpServletRequest request, Viewer viewer) {
		this.request = request;
		this.viewer = viewer;
	}

	Viewer viewer() {
		return this.viewer;
	}

	/**
	 * Return whether the request asks only for the parts of a page that refresh
	 * themselves.
	 */
	boolean isLive() {
		return "true".equals(this.request.getHeader("HX-Request"));
	}

	/**
	 * Return whether the browser came from a page of this dashboard.
	 * @return {@code null} if the browser does not say so: it does only for HTTPS and for
	 * the local machine
	 */
	@Nullable Boolean isFromOwnPage() {
		String site = this.request.getHeader(OwnOrigin.SITE);
		return (site != null) ? Boolean.valueOf(site.equals(OwnOrigin.OWN)) : null;
	}

	/**
	 * Return a parameter.
	 * @return the value; {@code null} if the parameter is missing or empty
	 */
	@Nullable String text(String name) {
		return text(name, LONGEST);
	}

	/**
	 * Return a parameter.
	 * @param longest the maximum number of characters
	 * @return the value; {@code null} if the parameter is missing or empty
	 */
	@Nullable String text(String name, int longest) {
		String value;
		try {
			value = this.request.getParameter(name);
		}
		catch (IllegalStateException ex) {
			throw RefusedException.badRequest("refused.parameters");
		}
		if (value != null && value.length() > longest) {
			throw RefusedException.badRequest("refused.long", name, Format.number(longest));
		}
		return (value == null || value.isBlank()) ? null : value;
	}

	String required(String name) {
		String value = text(name);
		if (value == null) {
			throw RefusedException.badRequest("refused.missing", name);
		}
		return value;
	}

	long number(String name, long otherwise) {
		String value = text(name);
		if (value == null) {
			return otherwise;
		}
		if (!NUMBER.matcher(value).matches()) {
			throw RefusedException.badRequest("refused.number", name);
		}
		return Long.parseLong(value);
	}

	/**
	 * Return a time in the format in which form fields send it: in UTC, without a zone.
	 * @return the time, {@code null} if the parameter is missing or empty
	 */
	@Nullable Instant time(String name) {
		String value = text(name);
		if (value == null) {
			return null;
		}
		try {
			if (TIME.matcher(value).matches()) {
				return LocalDateTime.parse(value.replace("Z", "")).toInstant(ZoneOffset.UTC);
			}
		}
		catch (DateTimeException ex) {
			// For example, the 31st of a month with 30 days.
		}
		throw RefusedException.badRequest("refused.time", name);
	}

	<E extends Enum<E>> E oneOf(String name, Class<E> type) {
		String value = required(name);
		return Arrays.stream(type.getEnumConstants())
			.filter((constant) -> text(constant).equals(value))
			.findAny()
			.orElseThrow(() -> RefusedException.badRequest("refused.choice", name,
					Arrays.stream(type.getEnumConstants()).map(Visit::text).collect(Collectors.joining(", "))));
	}

	<E extends Enum<E>> E oneOf(String name, E otherwise) {
		return (text(name) != null) ? oneOf(name, otherwise.getDeclaringClass()) : otherwise;
	}

	/** Return the form in which addresses and forms contain a constant. */
	static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
