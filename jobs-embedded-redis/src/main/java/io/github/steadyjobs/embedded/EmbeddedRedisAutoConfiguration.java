package io.github.steadyjobs.embedded;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for an embedded Redis, where neither
 * a property nor a bean says which Redis to use.
 *
 * @since 1.0.0
 */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "steadyjobs.embedded.enabled", matchIfMissing = true)
@Conditional(NoRedisConfiguredCondition.class)
@ConditionalOnMissingBean({ DataRedisConnectionDetails.class, RedisConnectionFactory.class, RedisConfiguration.class })
@EnableConfigurationProperties({ EmbeddedRedisProperties.class, DataRedisProperties.class })
public final class EmbeddedRedisAutoConfiguration {

	@Bean
	EmbeddedRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedisProperties properties,
			DataRedisProperties redisProperties) {
		return EmbeddedRedisConnectionDetails.start(properties, redisProperties.getDatabase());
	}

}
