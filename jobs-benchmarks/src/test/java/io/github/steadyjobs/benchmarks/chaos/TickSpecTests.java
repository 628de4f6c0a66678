package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickSpec}.
 */
class TickSpecTests {

	private static final Instant FROM = Instant.parse("2026-03-01T00:00:00Z");

	private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

	@ParameterizedTest
	@ValueSource(ints = { 40, 200, 1000, 3000 })
	void drawKeepsRateOfTicks(int jobs) {
		List<TickSpec> specs = TickSpec.draw(jobs, 42);
		long ticks = specs.stream().mapToLong((spec) -> spec.ticks(FROM, FROM.plus(TEN_MINUTES)).size()).sum();
		assertThat(ticks / TEN_MINUTES.toSeconds()).isBetween(18L, 52L);
		assertThat(specs).hasSize(jobs).isEqualTo(TickSpec.draw(jobs, 42)).isNotEqualTo(TickSpec.draw(jobs, 43));
	}

}
