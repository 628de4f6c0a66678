package io.github.steadyjobs.dashboard;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Plain}.
 */
class PlainTests {

	@ParameterizedTest
	@CsvSource(quoteCharacter = '|',
			value = { "a\u0000b, a\\u0000b", "a\u001b[31mb, a\\u001b[31mb", "a\u202eb, a\\u202eb",
					"a\u2066b, a\\u2066b", "a\u200bb, a\\u200bb", "a\u2028b, a\\u2028b", "a\ud800b, a\\ud800b",
					"a\ufeffb, a\\ufeffb", "a\u007fb, a\\u007fb" })
	void lineShowsWhatCannotBeSeen(String text, String shown) {
		assertThat(Plain.line(text)).isEqualTo(shown);
	}

	@Test
	void lineLeavesOtherTextAsItIs() {
		String text = "Zażółć <b>gęślą</b> & jaźń, 日本語, عربى, 🎉";
		assertThat(Plain.line(text)).isEqualTo(text);
		assertThat(Plain.line(null)).isEmpty();
	}

	@Test
	void lineShowsLineBreaksAndBlockKeepsThem() {
		assertThat(Plain.line("a\nb\tc\r")).isEqualTo("a\\u000ab\\u0009c\\u000d");
		assertThat(Plain.block("a\nb\tc\r")).isEqualTo("a\nb\tc\\u000d");
	}

	@Test
	void longTextIsCutAndSaysSo() {
		assertThat(Plain.line("🎉".repeat(Plain.LONGEST_LINE))).isEqualTo("🎉".repeat(Plain.LONGEST_LINE));
		assertThat(Plain.line("x".repeat(5_000_000))).hasSizeLessThan(Plain.LONGEST_LINE + 50)
			.startsWith("xxx")
			.endsWith("x… (cut here, 5,000,000 characters in all)");
		assertThat(Plain.block("x".repeat(5_000_000))).hasSizeLessThan(Plain.LONGEST_BLOCK + 50);
	}

}
