package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisAddress}.
 */
class RedisAddressTests {

	@Test
	void ofWhenServerIsSingleNamesHostPortAndDatabase() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis.example.org", 6380);
		server.setDatabase(3);
		server.setPassword("secret");
		assertThat(RedisAddress.of(new LettuceConnectionFactory(server)))
			.isEqualTo("redis.example.org:6380, database 3");
	}

	@Test
	void ofWhenServerIsASocketNamesIt() {
		assertThat(RedisAddress.of(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock"))))
			.isEqualTo("/run/redis.sock, database 0");
	}

	@Test
	void ofWhenSentinelsWatchNamesThem() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration("jobs", Set.of("b:26379", "a:26379"));
		sentinels.setDatabase(1);
		assertThat(RedisAddress.of(new LettuceConnectionFactory(sentinels)))
			.isEqualTo("the primary 'jobs' of the Sentinels a:26379, b:26379, database 1");
	}

	@Test
	void ofWhenServerIsAClusterNamesItsNodes() {
		assertThat(RedisAddress
			.of(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("b:7001", "a:7000")))))
			.isEqualTo("the cluster of a:7000, b:7001");
	}

}
