package io.github.steadyjobs.guide.redis;

import java.time.Duration;

import io.github.steadyjobs.boot.JobsRedisConnectionFactory;
import io.lettuce.core.RedisURI;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Code of {@code docs/redis.md}.
 */
class RedisPage {

	@Configuration(proxyBeanMethods = false)
	class RedisServers {

		@Bean(defaultCandidate = false)
		@JobsRedisConnectionFactory
		LettuceConnectionFactory jobsRedis(@Value("${jobs.redis.url}") String url) {
			RedisURI uri = RedisURI.create(url);
			return new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(uri),
					LettuceClientConfiguration.builder().apply(uri).commandTimeout(Duration.ofSeconds(4)).build());
		}

	}

}
