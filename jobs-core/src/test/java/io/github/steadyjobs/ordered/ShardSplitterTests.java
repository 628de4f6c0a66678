package io.github.steadyjobs.ordered;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ShardSplitter}.
 */
class ShardSplitterTests {

	private static final TreeMap<String, Integer> SHARDS = new TreeMap<>(Map.of("D", 2, "B", 4, "A", 3, "C", 1));

	@Test
	@DisplayName("LK-44, LK-45: the flat list of shards is distributed round-robin, as in the example of Lowkiq")
	void byNodeDealsShardsOutInTurn() {
		assertThat(ShardSplitter.byNode(3, 0).split(SHARDS))
			.isEqualTo(Map.of("A", List.of(0), "B", List.of(0, 3), "D", List.of(1)));
		assertThat(ShardSplitter.byNode(3, 1).split(SHARDS))
			.isEqualTo(Map.of("A", List.of(1), "B", List.of(1), "C", List.of(0)));
		assertThat(ShardSplitter.byNode(3, 2).split(SHARDS))
			.isEqualTo(Map.of("A", List.of(2), "B", List.of(2), "D", List.of(0)));
	}

	@ParameterizedTest
	@CsvSource({ "1", "2", "4", "10", "13" })
	void byNodeGivesEachShardToOneNode(int nodes) {
		Set<String> served = new HashSet<>();
		for (int node = 0; node < nodes; node++) {
			ShardSplitter.byNode(nodes, node)
				.split(SHARDS)
				.forEach((queue, shards) -> shards
					.forEach((shard) -> assertThat(served.add(queue + shard)).as(queue + shard).isTrue()));
		}
		assertThat(served).hasSize(10);
	}

	@ParameterizedTest
	@CsvSource({ "3, 3", "3, -1", "0, 0", "-1, 0" })
	void byNodeWhenThereIsNoSuchNodeIsRefused(int nodes, int node) {
		assertThatIllegalArgumentException().isThrownBy(() -> ShardSplitter.byNode(nodes, node))
			.withMessageContaining("'node' must be 0 to");
	}

}
