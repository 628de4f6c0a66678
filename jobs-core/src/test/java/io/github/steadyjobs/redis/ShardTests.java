package io.github.steadyjobs.redis;

import java.util.stream.IntStream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Shard}.
 */
class ShardTests {

	@Test
	@DisplayName("The shard of a key is CRC32(key) modulo the number of shards (LK-05)")
	void ofKeyIsChosenByChecksum() {
		// 0xCBF43926 is the check value that every description of CRC-32 gives.
		assertThat(Shard.ofKey("orders", "123456789", 5)).isEqualTo(new Shard("orders", (int) (0xCBF43926L % 5)));
		assertThat(Shard.ofKey("orders", "123456789", 5).name()).isEqualTo("orders#2");
		assertThat(Shard.ofKey("orders", "ключ", 1)).isEqualTo(new Shard("orders", 0));
	}

	@Test
	void ofKeySpreadsKeys() {
		assertThat(IntStream.range(0, 10_000)
			.mapToObj((key) -> Shard.ofKey("orders", "order-" + key, 4))
			.collect(groupingBy(Shard::number, counting()))
			.values()).hasSize(4).allSatisfy((keys) -> assertThat(keys).isBetween(2300L, 2700L));
	}

	@Test
	void queueOfIsWhatApplicationsKnow() {
		assertThat(Shard.queueOf("orders#12")).isEqualTo("orders");
		assertThat(Shard.queueOf("mail")).isEqualTo("mail");
		assertThat(Shard.isShard("orders#12")).isTrue();
		assertThat(Shard.isShard("mail")).isFalse();
	}

}
