package io.github.steadyjobs;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RetryDelay}.
 */
class RetryDelayTests {

	private static final double MEAN_OF_JITTER = 14.5;

	private final JobPayload plain = payload(null);

	private final JobPayload ordered = payload("a");

	@ParameterizedTest
	@CsvSource({ "0, 15", "1, 16", "2, 31", "3, 96", "4, 271" })
	@DisplayName("LK-24: the delay without its random part")
	void delayIsPowerOfFourAndQuarterOfAMinute(int count, long seconds) {
		assertThat(delay(count)).isEqualTo(Duration.ofSeconds(seconds));
	}

	@RepeatedTest(100)
	@DisplayName("LK-24: the random part of an ordered job is rand(30) * (count + 1)")
	void jitterWhenJobIsOrderedIsMultipleBelowThirty() {
		assertJitter(this.ordered, 30);
	}

	@RepeatedTest(100)
	void jitterWhenJobIsPlainIsMultipleBelowTen() {
		assertJitter(this.plain, 10);
	}

	@Test
	@DisplayName("LK-24: every multiple can occur")
	void jitterTakesAllMultiples() {
		assertThat(IntStream.range(0, 10_000).mapToObj((n) -> RetryDelay.sidekiq().jitter(0, this.ordered)).distinct())
			.hasSize(30);
	}

	@ParameterizedTest(name = "{0} retries take {1} days")
	@CsvSource({ "14, 1", "16, 2", "18, 3", "19, 5", "20, 6", "21, 8", "22, 10", "23, 13", "24, 16", "25, 20" })
	@DisplayName("LK-25: number of whole days until a payload is dead, by number of retries")
	void lifetimeByNumberOfRetries(int retries, int days) {
		double seconds = IntStream.range(0, retries)
			.mapToDouble((count) -> delay(count).toSeconds() + MEAN_OF_JITTER * (count + 1))
			.sum();
		assertThat((int) (seconds / Duration.ofDays(1).toSeconds())).isEqualTo(days);
	}

	private Duration delay(int count) {
		return RetryDelay.sidekiq().delay(count, this.ordered, new IllegalStateException("planned"));
	}

	private static void assertJitter(JobPayload job, int bound) {
		for (int count = 0; count < 5; count++) {
			long seconds = RetryDelay.sidekiq().jitter(count, job).toSeconds();
			assertThat(seconds % (count + 1)).isZero();
			assertThat(seconds / (count + 1)).isBetween(0L, bound - 1L);
		}
	}

	private static JobPayload payload(String key) {
		ObjectNode json = JsonMapper.shared().createObjectNode();
		json.put("v", 1).put("jid", "0123456789abcdef01234567").put("class", "orders").putArray("args");
		if (key != null) {
			json.put("key", key);
		}
		return JobPayload.of(json);
	}

}
