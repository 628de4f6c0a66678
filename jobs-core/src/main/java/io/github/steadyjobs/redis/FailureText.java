package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the texts of an exception in a form that can be stored. These texts cannot be
 * trusted: they may be huge or malformed, and reading them may throw an exception.
 */
public final class FailureText {

	private static final int MESSAGE_LIMIT = 8192;

	private FailureText() {
	}

	public static String message(Throwable failure) {
		String message;
		try {
			message = failure.getMessage();
		}
		catch (Throwable ex) {
			message = "(its message could not be read: " + ex.getClass().getName() + ")";
		}
		return (message == null) ? "" : storable(message);
	}

	private static String storable(String text) {
		String bounded = (text.length() > MESSAGE_LIMIT) ? text.substring(0, MESSAGE_LIMIT) + "…" : text;
		StringBuilder storable = new StringBuilder(bounded.length());
		// An unpaired surrogate cannot be written as UTF-8.
		bounded.codePoints()
			.map((point) -> (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) ? '\uFFFD' : point)
			.forEach(storable::appendCodePoint);
		return storable.toString();
	}

	public static List<String> backtrace(Throwable failure, int lines) {
		List<String> backtrace = new ArrayList<>();
		try {
			for (StackTraceElement element : failure.getStackTrace()) {
				if (backtrace.size() == lines) {
					break;
				}
				backtrace.add(element.toString());
			}
		}
		catch (Throwable ex) {
			backtrace.add("(its stack trace could not be read: " + ex.getClass().getName() + ")");
		}
		return backtrace;
	}

}
