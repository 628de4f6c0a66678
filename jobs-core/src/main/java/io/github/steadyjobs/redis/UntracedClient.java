package io.github.steadyjobs.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A client like the application's whose commands are not observed: that of the
 * application itself, where it observes none.
 * <p>
 * Blocking pops are all waiting, and claims and acknowledgements far more than what an
 * application sends itself; both would drown its own timings and traces of Redis. Jobs
 * have meters of their own.
 */
final class UntracedClient implements AutoCloseable {

	private final LettuceConnectionFactory origin;

	private @Nullable LettuceConnectionFactory sibling;

	UntracedClient(LettuceConnectionFactory origin) {
		this.origin = origin;
	}

	synchronized AbstractRedisClient client() {
		// Asked for each time: a stopped and restarted factory has another client.
		AbstractRedisClient client = this.origin.getRequiredNativeClient();
		if (!client.getResources().tracing().isEnabled()) {
			return client;
		}
		if (this.sibling == null) {
			this.sibling = new LettuceConnectionFactory(configuration(), untraced(client.getResources()));
			this.sibling.afterPropertiesSet();
			this.sibling.start();
		}
		return this.sibling.getRequiredNativeClient();
	}

	private RedisConfiguration configuration() {
		if (this.origin.getClusterConfiguration() != null) {
			return this.origin.getClusterConfiguration();
		}
		if (this.origin.getSentinelConfiguration() != null) {
			return this.origin.getSentinelConfiguration();
		}
		return (this.origin.getSocketConfiguration() != null) ? this.origin.getSocketConfiguration()
				: this.origin.getStandaloneConfiguration();
	}

	private LettuceClientConfiguration untraced(ClientResources resources) {
		// The copy shares the event loops of the original and never shuts them down.
		ClientResources untraced = resources.mutate().tracing(Tracing.disabled()).build();
		LettuceClientConfiguration origin = this.origin.getClientConfiguration();
		return (LettuceClientConfiguration) Proxy.newProxyInstance(LettuceClientConfiguration.class.getClassLoader(),
				new Class<?>[] { LettuceClientConfiguration.class }, (proxy, method, args) -> {
					if (method.getName().equals("getClientResources")) {
						return Optional.of(untraced);
					}
					try {
						return method.invoke(origin, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	@Override
	public synchronized void close() {
		if (this.sibling != null) {
			this.sibling.destroy();
			this.sibling = null;
		}
	}

}
