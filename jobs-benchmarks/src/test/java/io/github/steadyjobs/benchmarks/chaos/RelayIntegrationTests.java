package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Relay}.
 */
class RelayIntegrationTests {

	@Test
	void delayRepliesHoldsEachReplyBackUntilItIsTakenBack() throws Exception {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.start(); Relay relay = Relay.to(server.uri())) {
			RedisClient client = RedisClient.create(relay.url());
			RedisCommands<String, String> redis = client.connect().sync();
			relay.delayReplies(100);
			relay.delayReplies(50);
			assertThat(roundTrip(redis)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
			relay.delayReplies(-50);
			assertThat(roundTrip(redis)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
			relay.delayReplies(-100);
			assertThat(redis.ping()).isEqualTo("PONG");
			client.shutdown();
		}
	}

	private static Duration roundTrip(RedisCommands<String, String> redis) {
		long start = System.nanoTime();
		assertThat(redis.ping()).isEqualTo("PONG");
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
