package io.github.steadyjobs.embedded;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless a property says where a Redis is.
 */
class NoRedisConfiguredCondition extends SpringBootCondition {

	private static final Map<String, Class<?>> ADDRESSES = new TreeMap<>(
			Map.of("spring.data.redis.url", String.class, "spring.data.redis.host", String.class,
					"spring.data.redis.port", String.class, "spring.data.redis.sentinel",
					DataRedisProperties.Sentinel.class, "spring.data.redis.cluster", DataRedisProperties.Cluster.class,
					"spring.data.redis.masterreplica", DataRedisProperties.Masterreplica.class));

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded Redis");
		if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
			// What is decided there holds for production, whose properties are not known.
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
		// An empty text, as 'url=${REDIS_URL:}' may come to, says nothing.
		return value.isBound() && !"".equals(value.get());
	}

}
