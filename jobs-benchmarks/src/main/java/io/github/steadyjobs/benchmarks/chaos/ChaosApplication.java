package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.MappingSocketAddressResolver;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * An application with only the starter and Actuator. It enqueues jobs and reads data. A
 * configuration that imports this class adds the rest.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ChaosApplication {

	/**
	 * The prefix of the address of a cluster.
	 */
	static final String CLUSTER = "cluster:";

	private static final String RELAYS = "chaos.relays";

	private static final String HOST = "127.0.0.1";

	/**
	 * Start an application.
	 * @param properties the properties of the application
	 * @param types the configuration classes of the application
	 */
	static ConfigurableApplicationContext start(Map<String, Object> properties, Class<?>... types) {
		SpringApplication application = new SpringApplication(types);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setDefaultProperties(properties);
		return application.run();
	}

	/**
	 * Return the properties with which an application connects to Redis.
	 * @param redis a URL, or {@link #CLUSTER} followed by the port of each node and the
	 * port of the relay in front of it: "cluster:7001:40001,7002:40002"
	 */
	static Map<String, Object> connectionTo(String redis) {
		if (!redis.startsWith(CLUSTER)) {
			return Map.of("spring.data.redis.url", redis);
		}
		Map<String, String> relays = relays(redis);
		return Map.of("spring.data.redis.cluster.nodes",
				relays.keySet().stream().map((port) -> HOST + ":" + port).collect(Collectors.joining(",")), RELAYS,
				redis);
	}

	private static Map<String, String> relays(String redis) {
		return Arrays.stream(redis.substring(CLUSTER.length()).split(","))
			.map((ports) -> ports.split(":"))
			.collect(Collectors.toMap((ports) -> ports[0], (ports) -> ports[1]));
	}

	/**
	 * Map the addresses that the nodes of a cluster announce to the addresses of the
	 * relays.
	 */
	@Bean
	@ConditionalOnProperty(RELAYS)
	static ClientResourcesBuilderCustomizer throughRelays(Environment environment) {
		Map<String, String> relays = relays(environment.getRequiredProperty(RELAYS));
		return (resources) -> resources
			.socketAddressResolver(MappingSocketAddressResolver.create((HostAndPort node) -> {
				String relay = relays.get(Integer.toString(node.getPort()));
				return (relay != null) ? HostAndPort.of(HOST, Integer.parseInt(relay)) : node;
			}));
	}

	/**
	 * Start an application that runs no jobs.
	 * @param type the configuration class of the application
	 * @param redis the address of Redis, in the form that {@link #connectionTo} expects
	 * @param prefix prefix of all keys
	 * @param timeout timeout of a command
	 */
	static ConfigurableApplicationContext startClient(Class<?> type, String redis, String prefix, Duration timeout) {
		Map<String, Object> properties = new HashMap<>(connectionTo(redis));
		properties.put("spring.data.redis.timeout", timeout.toMillis() + "ms");
		properties.put("steadyjobs.prefix", prefix);
		properties.put("steadyjobs.worker.enabled", "false");
		// Broken connections are expected here.
		properties.put("logging.level.io.lettuce", "error");
		return start(properties, type);
	}

}
