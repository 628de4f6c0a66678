package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the descriptions of the Redis address in {@link OwnClient}.
 */
class OwnClientTests {

	@Test
	void addressWhenServerIsSingleNamesHostPortAndDatabase() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis.example.org", 6380);
		server.setDatabase(3);
		server.setPassword("secret");
		assertThat(OwnClient.address(new LettuceConnectionFactory(server)))
			.isEqualTo("redis.example.org:6380, database 3");
	}

	@Test
	void addressWhenTlsIsOnSaysSo() {
		assertThat(OwnClient.address(new LettuceConnectionFactory(new RedisStandaloneConfiguration("a", 6380),
				LettuceClientConfiguration.builder().useSsl().build())))
			.isEqualTo("a:6380, database 0, TLS");
		assertThat(OwnClient.address(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("a:7000")),
				LettuceClientConfiguration.builder().useSsl().build())))
			.isEqualTo("the cluster of a:7000, TLS");
	}

	@Test
	void addressWhenServerIsASocketNamesIt() {
		assertThat(OwnClient.address(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock"))))
			.isEqualTo("/run/redis.sock, database 0");
	}

	@Test
	void addressWhenSentinelsWatchNamesThem() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration("jobs", Set.of("b:26379", "a:26379"));
		sentinels.setDatabase(1);
		assertThat(OwnClient.address(new LettuceConnectionFactory(sentinels)))
			.isEqualTo("the primary 'jobs' of the Sentinels a:26379, b:26379, database 1");
	}

	@Test
	void addressWhenServerIsAClusterNamesItsNodes() {
		assertThat(OwnClient
			.address(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("b:7001", "a:7000")))))
			.isEqualTo("the cluster of a:7000, b:7001");
	}

}
