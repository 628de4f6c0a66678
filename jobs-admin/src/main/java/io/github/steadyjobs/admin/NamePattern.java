package io.github.steadyjobs.admin;

/**
 * A pattern in which {@code *} stands for any characters and {@code ?} for one. A match
 * takes at most as many steps as the length of the pattern times the length of the text,
 * because only the last {@code *} is ever tried again. Immutable.
 */
final class NamePattern {

	private final int[] pattern;

	NamePattern(String pattern) {
		this.pattern = pattern.codePoints().toArray();
	}

	boolean matches(String text) {
		int[] characters = text.codePoints().toArray();
		int at = 0;
		int star = -1;
		int afterStar = 0;
		int position = 0;
		while (position < characters.length) {
			if (at < this.pattern.length && this.pattern[at] == '*') {
				star = at++;
				afterStar = position;
			}
			else if (at < this.pattern.length
					&& (this.pattern[at] == '?' || this.pattern[at] == characters[position])) {
				at++;
				position++;
			}
			else if (star >= 0) {
				// The last star takes one more.
				at = star + 1;
				position = ++afterStar;
			}
			else {
				return false;
			}
		}
		while (at < this.pattern.length && this.pattern[at] == '*') {
			at++;
		}
		return at == this.pattern.length;
	}

}
