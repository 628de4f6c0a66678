package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LagRounds}.
 */
class LagRoundsTests {

	private final List<List<String>> asked = new ArrayList<>();

	private final Map<String, Duration> lags = new HashMap<>();

	private final LagRounds rounds = new LagRounds((queues) -> {
		this.asked.add(queues);
		Map<String, Duration> found = new HashMap<>(this.lags);
		found.keySet().retainAll(queues);
		return CompletableFuture.completedFuture(found);
	});

	@Test
	void ofWhenThereAreFewAsksAll() {
		this.lags.put("a", Duration.ofSeconds(1));
		assertThat(this.rounds.of(List.of("a", "b"))).isCompletedWithValue(this.lags);
		assertThat(this.asked).containsExactly(List.of("a", "b"));
	}

	@Test
	void ofWhenThereAreManyAsksSomeAndKnowsTheOthersFromBefore() {
		List<String> shards = IntStream.range(0, 1024).mapToObj((shard) -> "q#" + shard).toList();
		shards.forEach((shard) -> this.lags.put(shard, Duration.ofSeconds(1)));
		assertThat(this.rounds.of(shards).join()).hasSize(64);
		for (int i = 1; i < 16; i++) {
			this.rounds.of(shards);
		}
		assertThat(this.asked).hasSize(16).allMatch((round) -> round.size() == 64);
		assertThat(this.asked.stream().flatMap(List::stream)).containsExactlyElementsOf(shards);
		this.lags.remove("q#0");
		this.lags.put("q#1", Duration.ofSeconds(2));
		assertThat(this.rounds.of(shards).join()).hasSize(1023)
			.containsEntry("q#1", Duration.ofSeconds(2))
			.containsEntry("q#1023", Duration.ofSeconds(1));
	}

}
