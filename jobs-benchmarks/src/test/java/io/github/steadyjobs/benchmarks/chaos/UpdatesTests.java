package io.github.steadyjobs.benchmarks.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Updates}.
 */
class UpdatesTests {

	@Test
	void drawGivesTheShareThatWasAskedFor() {
		assertThat(draw(25, 10).stream().filter(Objects::nonNull).count()).isBetween(4500L, 5500L);
		assertThat(draw(0, 10)).containsOnlyNulls();
		assertThat(draw(100, 10)).doesNotContainNull();
	}

	@Test
	void drawCountsVersionsOfEachKeyUpAndGivesEveryTenthToOneKey() {
		Map<String, Integer> last = new HashMap<>();
		for (Update update : draw(100, 10)) {
			assertThat(update.version()).isEqualTo(last.merge(update.key(), 1, Integer::sum));
		}
		assertThat(last).hasSize(100).containsEntry("key-0", 2000);
		assertThat(draw(100, 80)).filteredOn((update) -> "key-0".equals(update.key())).hasSize(16_000);
	}

	private static List<@Nullable Update> draw(int percent, int hot) {
		Random random = new Random(42);
		Updates updates = new Updates(percent, hot);
		return IntStream.range(0, 20_000).<@Nullable Update>mapToObj((number) -> updates.draw(random)).toList();
	}

}
