package io.github.steadyjobs.dashboard;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Format}.
 */
class FormatTests {

	@ParameterizedTest
	@CsvSource({ "0, 0", "999, 999", "1000, '1,000'", "1234567890, '1,234,567,890'" })
	void numberHasGroups(long number, String text) {
		assertThat(Format.number(number)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0, 0 %", "0, 5, 0 %", "1, 100000, < 0.1 %", "1, 200, 0.5 %", "1, 8, 13 %",
			"99999, 100000, > 99.9 %", "7, 7, 100 %" })
	void percentIsNoneOrAllOnlyIfItIs(long part, long whole, String text) {
		assertThat(Format.percent(part, whole)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "-25, −25", "1234, '+1,234'" })
	void signedHasASignUnlessItIsZero(long number, String text) {
		assertThat(Format.signed(number)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0 ms", "999, 999 ms", "1000, 1.0 s", "9949, 9.9 s", "59400, 59 s", "60000, 1 min",
			"61000, 1 min 1 s", "3599999, 59 min 59 s", "3600000, 1 h", "7500000, 2 h 5 min", "86400000, 1 d",
			"100800000, 1 d 4 h" })
	void durationHasTwoUnitsAtMost(long millis, String text) {
		assertThat(Format.duration(Duration.ofMillis(millis))).isEqualTo(text);
	}

}
