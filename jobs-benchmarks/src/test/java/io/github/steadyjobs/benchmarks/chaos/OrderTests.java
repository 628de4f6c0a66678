package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Order}.
 */
class OrderTests {

	private static final Duration DEATH_AFTER = Duration.ofSeconds(30);

	@Test
	void drawWhenLengthsAreMixedGivesAFewSlowOnesAmongManyOfNoLength() {
		List<Integer> lengths = lengths(Order.Lengths.MIXED);
		assertThat(lengths.stream().filter((millis) -> millis == 500).count()).isBetween(150L, 250L);
		assertThat(lengths.stream().filter((millis) -> millis == 0).count()).isGreaterThan(19_700);
	}

	@Test
	void drawWhenLengthsAreVariedGivesNearlyAllBelowFifthOfASecond() {
		List<Integer> lengths = lengths(Order.Lengths.VARIED);
		assertThat(lengths.stream().filter((millis) -> millis < 200).count()).isBetween(19_900L, 19_999L);
		assertThat(lengths.stream().distinct().count()).isGreaterThan(150);
	}

	private static List<Integer> lengths(Order.Lengths lengths) {
		Random random = new Random(42);
		return IntStream.range(0, 20_000)
			.mapToObj((number) -> Order.draw(number, random, lengths, DEATH_AFTER, new Updates(0, 10)).millis())
			.toList();
	}

}
