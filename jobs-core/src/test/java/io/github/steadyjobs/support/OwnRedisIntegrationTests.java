package io.github.steadyjobs.support;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnRedis} and {@link ClusterRedis}, on which other tests rely.
 */
class OwnRedisIntegrationTests {

	@Test
	void restartWhenDurableBringsDataBack() {
		try (OwnRedis own = OwnRedis.startDurable()) {
			long firstPid = own.pid();
			own.redis().template().opsForValue().set("key", "value");
			own.kill();
			own.restart();
			assertThat(own.redis().template().opsForValue().get("key")).isEqualTo("value");
			assertThat(own.pid()).isNotEqualTo(firstPid);
		}
	}

	@Test
	void restartWhenNotDurableBringsNothingBack() {
		try (OwnRedis own = OwnRedis.start()) {
			own.redis().template().opsForValue().set("key", "value");
			own.stop();
			own.restart();
			assertThat(own.redis().template().opsForValue().get("key")).isNull();
		}
	}

}
