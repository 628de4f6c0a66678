package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RunTotals}.
 */
class RunTotalsTests {

	/**
	 * 800 runs took less than 1 ms, 100 runs took 1 to 2 ms, and 100 runs took 2 to 3 ms.
	 */
	@ParameterizedTest
	@CsvSource({ "0.0008, 1000", "0.5, 625000", "0.8, 1000000", "0.81, 1100000", "0.9, 2000000", "0.95, 2500000",
			"1, 3000000" })
	void percentileIsEstimatedInsideOfItsClass(double part, long nanos) {
		assertThat(totals(800, 100, 100).percentile(part)).isEqualTo(Duration.ofNanos(nanos));
	}

	@Test
	void percentileWhenRunsAreInTheLastClassIsItsBeginning() {
		List<Long> histogram = new ArrayList<>(Collections.nCopies(26, 0L));
		histogram.set(25, 3L);
		assertThat(totals(histogram).percentile(0.99)).isEqualTo(Duration.ofMinutes(10));
		assertThat(RunTotals.classes()).hasSize(26).startsWith(Duration.ZERO).endsWith(Duration.ofMinutes(10));
	}

	@Test
	void figuresWhenNothingHasRunAreZero() {
		assertThat(RunTotals.NONE.percentile(0.5)).isZero();
		assertThat(RunTotals.NONE.meanRun()).isZero();
		assertThat(RunTotals.NONE.meanWait()).isZero();
		assertThat(RunTotals.NONE.plus(totals(1, 2))).isEqualTo(totals(1, 2));
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.1, 1.01, Double.NaN })
	void percentileWhenPartIsNoneIsRefused(double part) {
		assertThatIllegalArgumentException().isThrownBy(() -> RunTotals.NONE.percentile(part))
			.withMessageContaining("'part' must be above 0");
	}

	@Test
	void meansDivideByWhatWasCounted() {
		RunTotals totals = new RunTotals(4, 1, 1, 0, Duration.ofMillis(10), 2, Duration.ofMillis(5),
				totals(4).histogram());
		assertThat(totals.meanRun()).isEqualTo(Duration.ofMillis(10).dividedBy(4));
		assertThat(totals.meanWait()).isEqualTo(Duration.ofMillis(5).dividedBy(2));
	}

	private static RunTotals totals(long... counts) {
		List<Long> histogram = new ArrayList<>(Collections.nCopies(26, 0L));
		for (int i = 0; i < counts.length; i++) {
			histogram.set(i, counts[i]);
		}
		return totals(histogram);
	}

	private static RunTotals totals(List<Long> histogram) {
		return new RunTotals(histogram.stream().mapToLong((count) -> count).sum(), 0, 0, 0, Duration.ZERO, 0,
				Duration.ZERO, histogram);
	}

}
