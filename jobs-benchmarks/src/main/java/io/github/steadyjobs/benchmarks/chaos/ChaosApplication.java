package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with the starter and Actuator, and nothing of its own: it enqueues and
 * looks. What else it does is up to those who import it.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ChaosApplication {

	/**
	 * Start an application.
	 * @param type its configuration
	 * @param properties its properties
	 */
	static ConfigurableApplicationContext start(Class<?> type, Map<String, Object> properties) {
		SpringApplication application = new SpringApplication(type);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setDefaultProperties(properties);
		return application.run();
	}

	/**
	 * Start an application that runs no jobs.
	 * @param url address of the server
	 * @param prefix prefix of all keys
	 * @param timeout how long a command may take
	 */
	static ConfigurableApplicationContext startClient(String url, String prefix, Duration timeout) {
		// That connections break is no news here.
		return start(ChaosApplication.class,
				Map.of("spring.data.redis.url", url, "spring.data.redis.timeout", timeout.toMillis() + "ms",
						"steadyjobs.prefix", prefix, "steadyjobs.worker.enabled", "false", "logging.level.io.lettuce",
						"error"));
	}

}
