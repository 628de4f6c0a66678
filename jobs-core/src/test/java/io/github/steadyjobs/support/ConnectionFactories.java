package io.github.steadyjobs.support;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Creates started connection factories.
 */
final class ConnectionFactories {

	/**
	 * A timeout that is longer than any answer takes, so that it occurs only on broken
	 * connections.
	 */
	static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);

	private ConnectionFactories() {
	}

	static LettuceConnectionFactory single(String url, Duration commandTimeout) {
		RedisURI uri = RedisURI.create(url);
		return start(LettuceConnectionFactory.createRedisConfiguration(uri),
				LettuceClientConfiguration.builder().apply(uri), commandTimeout);
	}

	/**
	 * Create a factory whose client waits for answers without a timeout.
	 */
	static LettuceConnectionFactory withoutTimeouts(String url, Duration commandTimeout) {
		RedisURI uri = RedisURI.create(url);
		return start(LettuceConnectionFactory.createRedisConfiguration(uri),
				LettuceClientConfiguration.builder()
					.apply(uri)
					.clientOptions(ClientOptions.builder().timeoutOptions(TimeoutOptions.create()).build()),
				commandTimeout);
	}

	static LettuceConnectionFactory cluster(String host, int port) {
		return start(new RedisClusterConfiguration(List.of(host + ":" + port)), LettuceClientConfiguration.builder(),
				COMMAND_TIMEOUT);
	}

	static LettuceConnectionFactory start(RedisConfiguration server, LettuceClientConfigurationBuilder client,
			Duration commandTimeout) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server,
				client.commandTimeout(commandTimeout).shutdownQuietPeriod(Duration.ZERO).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
