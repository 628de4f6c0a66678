package io.github.steadyjobs.observation;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the headers with which a trace travels. Anybody may have written the
 * meta of a job, so only values in the form of a header reach the tracer. The tracer
 * parses them, and begins a new trace if they identify none.
 */
final class TraceHeaders {

	/** The length that the W3C requires for the longest header, {@code baggage}. */
	private static final int LONGEST = 8192;

	private static final Logger logger = LoggerFactory.getLogger(TraceHeaders.class);

	private TraceHeaders() {
	}

	static void set(@Nullable Map<String, String> meta, String name, @Nullable String value) {
		if (meta != null && value != null && isHeader(name, value)) {
			meta.put(name, value);
		}
	}

	static @Nullable String get(@Nullable Map<String, String> meta, String name) {
		String value = (meta != null) ? meta.get(name) : null;
		return (value != null && isHeader(name, value)) ? value : null;
	}

	private static boolean isHeader(String name, String value) {
		boolean isHeader = !value.isEmpty() && value.length() <= LONGEST && isPrintable(value)
				&& (!name.equals("traceparent") || isTraceParent(value));
		if (!isHeader) {
			logger.debug("The trace header '{}' is ignored, because its {} characters cannot be one", name,
					value.length());
		}
		return isHeader;
	}

	private static boolean isPrintable(String value) {
		for (int index = 0; index < value.length(); index++) {
			char character = value.charAt(index);
			if (character < ' ' || character > '~') {
				return false;
			}
		}
		return true;
	}

	/** Return whether version, trace, span and flags are separated correctly. */
	private static boolean isTraceParent(String value) {
		return value.length() >= 55 && value.charAt(2) == '-' && value.charAt(35) == '-' && value.charAt(52) == '-';
	}

}
