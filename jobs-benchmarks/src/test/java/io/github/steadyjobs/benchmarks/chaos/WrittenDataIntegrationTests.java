package io.github.steadyjobs.benchmarks.chaos;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WrittenData}.
 */
class WrittenDataIntegrationTests {

	private final EmbeddedRedisServer server = EmbeddedRedisServer.builder()
		.arguments("--appendonly", "yes", "--appendfsync", "always")
		.start();

	private final RedisClient client = RedisClient.create(RedisURI.create(this.server.uri()));

	private final RedisCommands<String, String> redis = this.client.connect().sync();

	@AfterEach
	void close() {
		this.client.shutdown();
		this.server.close();
	}

	@Test
	void forgetLaterWhenServerStartsAgainHasWhatWasThereBefore() {
		this.redis.set("a", "before");
		WrittenData data = WrittenData.of(this.server);
		this.redis.set("a", "after");
		this.redis.set("b", "after");
		this.server.kill();
		data.forgetLater();
		this.server.restart();
		assertThat(this.redis.get("a")).isEqualTo("before");
		assertThat(this.redis.exists("b")).isZero();
	}

}
