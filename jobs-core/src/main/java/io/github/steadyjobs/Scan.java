package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Goes once over the bytes of a payload that looks as this library writes it. Creating a
 * JSON parser and asking it for each name took more than half of the time that reading
 * and binding a job takes.
 * <p>
 * It knows no more of JSON than it needs. At whatever it does not expect it stops, and
 * everything that follows fails: white space, an escape, a character that is not ASCII, a
 * field in another place. Inside of the arguments it looks only for their end. That they
 * are JSON turns out when they are bound.
 */
final class Scan {

	static final byte[] TRUE = ascii("true");

	static final byte[] FALSE = ascii("false");

	/** Whatever may be longer is left to a parser, which has limits. */
	private static final int LONGEST_TEXT = 1_000;

	private static final int MOST_DIGITS = 18;

	private final byte[] json;

	private int position;

	private boolean failed;

	Scan(byte[] json) {
		this.json = json;
	}

	int position() {
		return this.position;
	}

	boolean isAtEnd() {
		return accept('}') && this.position == this.json.length;
	}

	void expect(PayloadField field) {
		this.failed |= !accept(field);
	}

	boolean accept(PayloadField field) {
		return accept(field.start());
	}

	void expect(byte[] literal) {
		this.failed |= !accept(literal);
	}

	boolean accept(byte[] literal) {
		int end = this.position + literal.length;
		if (this.failed || end > this.json.length
				|| !Arrays.equals(this.json, this.position, end, literal, 0, literal.length)) {
			return false;
		}
		this.position = end;
		return true;
	}

	private boolean accept(char expected) {
		if (this.failed || this.position >= this.json.length || this.json[this.position] != expected) {
			return false;
		}
		this.position++;
		return true;
	}

	private void expect(char expected) {
		this.failed |= !accept(expected);
	}

	String text() {
		expect('"');
		int start = this.position;
		int most = Math.min(this.json.length, start + LONGEST_TEXT);
		int end = start;
		// Bytes are signed, so this ends at those of other characters as well.
		while (end < most && this.json[end] >= ' ' && this.json[end] != '"' && this.json[end] != '\\') {
			end++;
		}
		this.position = end;
		expect('"');
		return this.failed ? "" : new String(this.json, start, end - start, StandardCharsets.ISO_8859_1);
	}

	/** Read a number that is not negative. */
	long number(long greatest) {
		int start = this.position;
		int most = Math.min(this.json.length, start + MOST_DIGITS);
		long number = 0;
		int next = start;
		while (next < most && this.json[next] >= '0' && this.json[next] <= '9') {
			number = number * 10 + this.json[next++] - '0';
		}
		this.position = next;
		boolean zeros = next > start + 1 && this.json[start] == '0';
		this.failed |= next == start || zeros || number > greatest;
		return number;
	}

	/** Read a number that may not be there, {@code null} then. */
	@Nullable Long number(PayloadField field, long greatest) {
		return accept(field) ? Long.valueOf(number(greatest)) : null;
	}

	List<String> texts() {
		List<String> all = new ArrayList<>();
		expect('[');
		do {
			all.add(text());
		}
		while (accept(','));
		expect(']');
		return Collections.unmodifiableList(all);
	}

	Map<String, String> textsByName() {
		Map<String, String> all = new LinkedHashMap<>();
		expect('{');
		do {
			String name = text();
			expect(':');
			this.failed |= all.put(name, text()) != null;
		}
		while (accept(','));
		expect('}');
		return Collections.unmodifiableMap(all);
	}

	/** Pass over an array, whatever is in it. */
	void skipArray() {
		boolean array = accept('[');
		int next = this.position;
		int depth = 1;
		while (array && depth > 0 && next < this.json.length) {
			switch (this.json[next++]) {
				case '[', '{' -> depth++;
				case ']', '}' -> depth--;
				case '"' -> next = endOfText(next);
				default -> {
				}
			}
		}
		this.position = next;
		this.failed |= depth > 0;
	}

	private int endOfText(int start) {
		int next = start;
		while (next < this.json.length && this.json[next] != '"') {
			next += (this.json[next] == '\\') ? 2 : 1;
		}
		return next + 1;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
