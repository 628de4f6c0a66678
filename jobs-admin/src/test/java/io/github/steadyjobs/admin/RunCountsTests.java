package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.admin.RunCounts.Count;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunCounts}.
 */
class RunCountsTests {

	@ParameterizedTest
	@CsvSource({ "0, 0", "999, 0", "1000, 1", "1999, 1", "2000, 2", "12999, 5", "13000, 6", "599999999, 24",
			"600000000, 25", "86400000000, 25" })
	void classOfTimeBeginsAtOrBeforeItAndEndsBehindIt(long micros, int expected) {
		int found = RunCounts.classOf(TimeUnit.MICROSECONDS.toNanos(micros));
		assertThat(found).isEqualTo(expected);
		assertThat(RunCounts.beginOf(found) * 1000).isLessThanOrEqualTo(micros);
		if (found < RunCounts.CLASSES - 1) {
			assertThat(RunCounts.beginOf(found + 1) * 1000).isGreaterThan(micros);
		}
	}

	@Test
	void textHasEachCountThatIsNotZeroAndIsReadBack() {
		RunCounts counts = new RunCounts();
		counts.add(0, 12);
		counts.add(25, 1);
		counts.add(Count.RETRIED.index(), 3);
		counts.add(Count.RAN.index(), 9_000_000_000_000L);
		assertThat(counts).hasToString("A12Z1r3t9000000000000");
		assertThat(parse(counts.toString())).hasToString(counts.toString());
		assertThat(parse("b1").add(counts).add(counts)).hasToString("A24Z2r6t18000000000000b1");
		assertThat(new RunCounts()).hasToString("");
	}

	@Test
	void parseWhenLettersAreUnknownLeavesThemOut() {
		assertThat(parse("q7A1-3?4d2")).hasToString("A1d2");
	}

	private static RunCounts parse(String text) {
		return RunCounts.parse(text.getBytes(StandardCharsets.UTF_8));
	}

}
