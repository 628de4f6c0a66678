package io.github.steadyjobs.admin;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the patterns of a {@link JobQuery}.
 */
class JobQueryTests {

	@ParameterizedTest
	@CsvSource({ "mails.send, mails.send, true", "mails.send, mails.sent, false", "mails, mails.send, false",
			"*, mails.send, true", "**, mails.send, true", "mails.*, mails.send, true", "mails.*, mails., true",
			"*send, mails.send, true", "*send, mails.sender, false", "m*s.*d, mails.send, true",
			"m*x*d, mails.send, false", "*a*a*, banana, true", "*ana, banana, true", "b*n?, banana, true",
			"?????, mails, true", "????, mails, false", "??????, mails, false", "mail[s], mails, false",
			"(a+)+, (a+)+, true", "?, 𝄞, true", "?*, '', false", "*, '', true" })
	void matchesAsAShellDoes(String pattern, String text, boolean matches) {
		assertThat(matches(pattern, text)).isEqualTo(matches);
	}

	@Test
	void matchesWhenThereAreManyStarsLooksAtEachCharacterAFewTimes() {
		// With a regular expression that tries each star again, this match would take far
		// too long.
		assertThat(matches("*?".repeat(40) + "!", "a".repeat(200))).isFalse();
		assertThat(matches("*a".repeat(40) + "!", "a".repeat(200))).isFalse();
	}

	@Test
	void matchesWhenThereIsALineBreakTakesItAsACharacter() {
		assertThat(matches("a*c", "a\nb\nc")).isTrue();
	}

	private static boolean matches(String pattern, String text) {
		return JobQuery.pattern(pattern).matcher(text).matches();
	}

}
