package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads what scripts answer.
 */
final class Answers {

	private Answers() {
	}

	static String text(List<Object> answer, int index) {
		return ascii(answer.get(index));
	}

	static String ascii(Object value) {
		// The one encoding that is a mere copy; ids, letters and codes are ASCII.
		return new String((byte[]) value, StandardCharsets.ISO_8859_1);
	}

	static String utf8(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	static long number(List<Object> answer, int index) {
		return (Long) answer.get(index);
	}

}
