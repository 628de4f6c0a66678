package io.github.steadyjobs.support;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TcpRelay}, which other tests rely on.
 */
@RedisTest
class TcpRelayIntegrationTests {

	private final TestRedis redis;

	private final TcpRelay relay;

	private final StringRedisTemplate relayed;

	private final String key;

	TcpRelayIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.relayed = new StringRedisTemplate(this.relay.connectionFactory(Duration.ofMillis(500)));
		this.key = redis.prefix() + ":relay:" + this.relay.port();
	}

	@AfterEach
	void close() {
		this.relay.close();
	}

	@Test
	void passCarriesRequestsAndReplies() {
		this.relayed.opsForValue().set(this.key, "value");
		assertThat(this.relayed.opsForValue().get(this.key)).isEqualTo("value");
	}

	@Test
	void cutWhenConnectionIsOpenLetsNewOneThrough() {
		increment();
		this.relay.cut();
		assertThat(increment()).isEqualTo(2);
		assertThat(this.relay.accepted()).isEqualTo(2);
	}

	@Test
	void refuseLetsNobodyThroughUntilPass() {
		this.relay.refuse();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::increment);
		this.relay.pass();
		assertThat(increment()).isEqualTo(1);
	}

	@Test
	void swallowLosesRequestAndKeepsConnectionOpen() {
		increment();
		this.relay.swallow();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::increment);
		assertThat(this.redis.template().opsForValue().get(this.key)).isEqualTo("1");
		assertThat(this.relay.open()).isEqualTo(1);
	}

	@Test
	void loseReplyToWhenRequestMatchesCarriesItOutWithoutReply() {
		increment();
		this.relay.loseReplyTo("INCR");
		this.relayed.hasKey(this.key);
		assertThat(this.relay.lostReplies()).isZero();
		// Lettuce sends the command again, and the second reply is not lost.
		assertThat(increment()).isEqualTo(3);
		assertThat(this.relay.lostReplies()).isEqualTo(1);
	}

	@Test
	void rewriteRepliesReplacesText() {
		this.redis.template().opsForValue().set(this.key, "version 7.0.15");
		this.relay.rewriteReplies("7.0.15", "6.0.16");
		assertThat(this.relayed.opsForValue().get(this.key)).isEqualTo("version 6.0.16");
	}

	@Test
	void delayLongerThanTimeoutLetsCommandFail() {
		increment();
		this.relay.delay(Duration.ofSeconds(2));
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::increment);
	}

	private Long increment() {
		return this.relayed.opsForValue().increment(this.key);
	}

}
