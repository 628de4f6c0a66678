package io.github.steadyjobs.redis;

import java.time.Duration;

import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static io.github.steadyjobs.server.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisConnections}.
 */
@RedisTest
class RedisConnectionsIntegrationTests {

	private final TestRedis redis;

	private final TcpRelay relay;

	private final LettuceConnectionFactory factory;

	private final RedisConnections connections;

	private final JobStore store;

	RedisConnectionsIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.factory = this.relay.connectionFactory(Duration.ofSeconds(10));
		this.connections = new RedisConnections(this.factory);
		this.store = new JobStore(this.connections, redis.prefix());
	}

	@AfterEach
	void close() {
		this.connections.close();
		this.relay.close();
	}

	@Test
	void stopClosesEverythingTogetherWithTheFactoryUntilItIsUsedAgain() {
		this.connections.start();
		assertThat(this.connections.isRunning()).isTrue();
		assertThat(this.connections.getPhase()).isEqualTo(this.factory.getPhase());
		this.store.enqueue("q", job(1));
		assertThat(this.relay.open()).isPositive();
		this.connections.stop();
		this.factory.stop();
		assertThat(this.connections.isRunning()).isFalse();
		Awaitility.await().until(() -> this.relay.open() == 0);
		this.factory.start();
		this.connections.start();
		this.store.enqueue("q", job(2));
		assertThat(this.store.cancel(job(2).id(), false)).isTrue();
	}

	@Test
	void enqueueWhenTlsIsOnAndTheServerHasNoneSaysSo() {
		LettuceConnectionFactory encrypted = new LettuceConnectionFactory(
				LettuceConnectionFactory.createRedisConfiguration(this.redis.url()),
				LettuceClientConfiguration.builder().useSsl().build());
		encrypted.afterPropertiesSet();
		encrypted.start();
		RedisConnections connections = new RedisConnections(encrypted);
		try {
			JobStore overTls = new JobStore(connections, "p");
			assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(() -> overTls.enqueue("q", job(1)))
				.withMessageContaining("does not speak TLS")
				.withMessageContaining("'spring.data.redis.ssl.enabled'");
		}
		finally {
			connections.close();
			encrypted.destroy();
		}
	}

}
