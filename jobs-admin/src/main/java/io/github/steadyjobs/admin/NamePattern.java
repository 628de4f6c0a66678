package io.github.steadyjobs.admin;

import java.util.regex.Pattern;

/**
 * A pattern in which {@code *} stands for any characters and {@code ?} for one. A match
 * takes at most as many steps as the length of the pattern times the length of the text,
 * because only the last {@code *} is ever tried again. Immutable.
 */
final class NamePattern {

	private final Pattern pattern;

	NamePattern(String pattern) {
		String[] parts = pattern.split("\\*", -1);
		StringBuilder expression = new StringBuilder();
		for (int i = 0; i < parts.length; i++) {
			String part = Pattern.quote(parts[i]).replace("?", "\\E.\\Q");
			// What a star and the part behind it have taken, they keep.
			expression.append((i == 0) ? part : (i == parts.length - 1) ? ".*" + part : "(?>.*?" + part + ")");
		}
		this.pattern = Pattern.compile(expression.toString(), Pattern.DOTALL);
	}

	boolean matches(String text) {
		return this.pattern.matcher(text).matches();
	}

}
