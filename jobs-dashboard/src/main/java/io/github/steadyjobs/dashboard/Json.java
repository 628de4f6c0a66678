package io.github.steadyjobs.dashboard;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Shows values of jobs as JSON. Numbers keep all of their digits. Long texts are cut, so
 * that one long text does not hide the rest.
 */
final class Json {

	/** The maximum number of characters of a single text in a block. */
	static final int LONGEST_TEXT = 10_000;

	private final StringBuilder out = new StringBuilder();

	private final boolean isBlock;

	private final int longest;

	private final int longestText;

	private int depth;

	private Json(boolean isBlock, int longest, int longestText) {
		this.isBlock = isBlock;
		this.longest = longest;
		this.longestText = longestText;
	}

	/** Return a value on one line, or only its beginning if it is too long. */
	static String line(@Nullable Object value) {
		Json json = new Json(false, Plain.LONGEST_LINE, Plain.LONGEST_LINE);
		json.add(value);
		return Plain.beginning(json.out.toString());
	}

	/** Return a value with one line for each part, with long texts cut. */
	static String block(@Nullable Object value) {
		Json json = new Json(true, Plain.LONGEST_BLOCK, LONGEST_TEXT);
		json.add(value);
		return Plain.block(json.out.toString());
	}

	/** Return a value with one line for each part, with nothing cut. */
	static String complete(@Nullable Object value) {
		Json json = new Json(true, Integer.MAX_VALUE, Integer.MAX_VALUE);
		json.add(value);
		return json.out.toString();
	}

	private void add(@Nullable Object value) {
		if (isFull()) {
			return;
		}
		if (value instanceof Map<?, ?> map) {
			addAll('{', map.entrySet().iterator(), (entry) -> {
				addText(String.valueOf(entry.getKey()));
				this.out.append(": ");
				add(entry.getValue());
			}, '}');
		}
		else if (value instanceof List<?> list) {
			addAll('[', list.iterator(), this::add, ']');
		}
		else if (value instanceof String text) {
			addText(text);
		}
		else {
			this.out.append(value);
		}
	}

	/** Return whether the rest of the value will not be shown. */
	private boolean isFull() {
		return this.out.length() > this.longest;
	}

	private <T extends @Nullable Object> void addAll(char begin, Iterator<T> parts, Part<T> writer, char end) {
		this.out.append(begin);
		this.depth++;
		boolean isEmpty = !parts.hasNext();
		while (parts.hasNext() && !isFull()) {
			newLine();
			writer.add(parts.next());
			if (parts.hasNext()) {
				this.out.append(this.isBlock ? "," : ", ");
			}
		}
		this.depth--;
		if (!isEmpty) {
			newLine();
		}
		this.out.append(end);
	}

	private void newLine() {
		if (this.isBlock) {
			this.out.append('\n').append("  ".repeat(this.depth));
		}
	}

	private void addText(String text) {
		this.out.append('"');
		text.chars().limit(this.longestText).forEach((character) -> {
			switch (character) {
				case '"', '\\' -> this.out.append('\\').append((char) character);
				case '\n' -> this.out.append("\\n");
				case '\r' -> this.out.append("\\r");
				case '\t' -> this.out.append("\\t");
				default -> this.out
					.append((character < ' ') ? "\\u%04x".formatted(character) : String.valueOf((char) character));
			}
		});
		this.out
			.append((text.length() > this.longestText) ? Words.of("text.cut", "", Format.number(text.length())) : "\"");
	}

	/** Writes a part of a value. */
	@FunctionalInterface
	private interface Part<T extends @Nullable Object> {

		void add(T part);

	}

}
