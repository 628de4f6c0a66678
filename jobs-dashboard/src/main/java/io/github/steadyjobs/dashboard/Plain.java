package io.github.steadyjobs.dashboard;

import org.jspecify.annotations.Nullable;

/**
 * Makes any text safe to show. Characters become visible if they are invisible or would
 * change how other text is read. Long text is cut.
 */
final class Plain {

	/** The maximum number of characters of a text on one line. */
	static final int LONGEST_LINE = 300;

	/** The maximum number of characters of a text with several lines. */
	static final int LONGEST_BLOCK = 256 * 1024;

	private Plain() {
	}

	/** Return a text on one line, cut if it is too long. */
	static String line(@Nullable String text) {
		return (text != null) ? visible(text, LONGEST_LINE, false) : "";
	}

	/** Return a text with its lines and tabs, cut if it is too long. */
	static String block(@Nullable String text) {
		return (text != null) ? visible(text, LONGEST_BLOCK, true) : "";
	}

	/** Return the beginning of a text, on one line. */
	static String beginning(String text) {
		return (text.length() > LONGEST_LINE) ? line(text.substring(0, LONGEST_LINE - 1)) + "…" : line(text);
	}

	private static String visible(String text, int longest, boolean hasLines) {
		StringBuilder visible = new StringBuilder(Math.min(text.length(), longest) + 16);
		text.codePoints().limit(longest).forEach((point) -> {
			if (hasLines && (point == '\n' || point == '\t')) {
				visible.appendCodePoint(point);
			}
			else if (isVisible(point)) {
				visible.appendCodePoint(point);
			}
			else {
				visible.append("\\u%04x".formatted(point));
			}
		});
		return (text.codePointCount(0, text.length()) > longest)
				? Words.of("text.cut", visible, Format.number(text.length())) : visible.toString();
	}

	private static boolean isVisible(int point) {
		return switch (Character.getType(point)) {
			// Marks that change the direction of text have the type FORMAT.
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE ->
				false;
			default -> true;
		};
	}

}
