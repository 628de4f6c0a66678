package io.github.steadyjobs.redis;

import java.util.stream.IntStream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueRef}.
 */
class QueueRefTests {

	@Test
	@DisplayName("The shard of a key is CRC32(key) modulo the number of shards (LK-05)")
	void ofKeyIsChosenByChecksum() {
		// 0xCBF43926 is the check value in every description of CRC-32.
		assertThat(QueueRef.ofKey("orders", "123456789", 5)).isEqualTo(new QueueRef("orders", (int) (0xCBF43926L % 5)));
		assertThat(QueueRef.ofKey("orders", "123456789", 5).name()).isEqualTo("orders#2");
		assertThat(QueueRef.ofKey("orders", "ключ", 1)).isEqualTo(new QueueRef("orders", 0));
	}

	@Test
	void ofKeySpreadsKeys() {
		assertThat(IntStream.range(0, 10_000)
			.mapToObj((key) -> QueueRef.ofKey("orders", "order-" + key, 4))
			.collect(groupingBy(QueueRef::part, counting()))
			.values()).hasSize(4).allSatisfy((keys) -> assertThat(keys).isBetween(2300L, 2700L));
	}

	@Test
	void queueOfIsWhatApplicationsKnow() {
		assertThat(QueueRef.queueOf("orders#12")).isEqualTo("orders");
		assertThat(QueueRef.queueOf("mail")).isEqualTo("mail");
		assertThat(QueueRef.isPart("orders#12")).isTrue();
		assertThat(QueueRef.isPart("mail")).isFalse();
	}

}
