package io.github.steadyjobs.embedded;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for an embedded Redis, if neither a
 * property nor a bean specifies which Redis to use.
 *
 * @since 1.0.0
 */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "steadyjobs.embedded.enabled", matchIfMissing = true)
@Conditional(EmbeddedRedisAutoConfiguration.NoRedisConfigured.class)
@ConditionalOnMissingBean({ DataRedisConnectionDetails.class, RedisConnectionFactory.class, RedisConfiguration.class })
@EnableConfigurationProperties({ EmbeddedRedisProperties.class, DataRedisProperties.class })
public final class EmbeddedRedisAutoConfiguration {

	@Bean
	EmbeddedRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedisProperties properties,
			DataRedisProperties redisProperties) {
		return new EmbeddedRedisConnectionDetails(properties, redisProperties.getDatabase());
	}

	/**
	 * Matches unless a property specifies the address of a Redis server.
	 */
	static class NoRedisConfigured extends SpringBootCondition {

		private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedisAutoConfiguration.class);

		private static final Map<String, Class<?>> ADDRESSES = new TreeMap<>(Map.of("spring.data.redis.url",
				String.class, "spring.data.redis.host", String.class, "spring.data.redis.port", String.class,
				"spring.data.redis.sentinel", DataRedisProperties.Sentinel.class, "spring.data.redis.cluster",
				DataRedisProperties.Cluster.class, "spring.data.redis.masterreplica",
				DataRedisProperties.Masterreplica.class));

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded Redis");
			if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
				// A decision made during the build also applies in production, whose
				// properties are unknown now. At run time, this code does not run, so it
				// could not report the decision.
				logger.info("This application is processed ahead of time, so it gets no embedded Redis. "
						+ "Set 'spring.data.redis.*' where it runs");
				return ConditionOutcome
					.noMatch(message.because("it is never part of an application processed ahead of time"));
			}
			Binder binder = Binder.get(context.getEnvironment());
			List<String> found = ADDRESSES.entrySet()
				.stream()
				.filter((address) -> isSet(binder, address.getKey(), address.getValue()))
				.map(Map.Entry::getKey)
				.toList();
			return found.isEmpty()
					? ConditionOutcome.match(message.didNotFind("property", "properties").items(ADDRESSES.keySet()))
					: ConditionOutcome.noMatch(message.found("property", "properties").items(found));
		}

		private static boolean isSet(Binder binder, String name, Class<?> type) {
			BindResult<?> value = binder.bind(name, type);
			// An empty value, for example from 'url=${REDIS_URL:}', counts as not set.
			return value.isBound() && !"".equals(value.get());
		}

	}

}
