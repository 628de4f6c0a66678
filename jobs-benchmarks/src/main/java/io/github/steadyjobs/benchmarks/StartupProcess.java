package io.github.steadyjobs.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Starts an application in a separate process for {@link StartupCommand}, and prints how
 * long that took.
 */
final class StartupProcess {

	static final String NAME = "started";

	/**
	 * The prefix of the line with the answer, which distinguishes it from other output.
	 */
	static final String ANSWER = "> ";

	private static final String JOBS = "bench.jobs";

	private StartupProcess() {
	}

	static void run(String[] args) {
		Options options = new Options(args, Set.of("redis", "prefix", "jobs"));
		boolean jobs = Boolean.parseBoolean(options.text("jobs", ""));
		SpringApplication application = new SpringApplication(Application.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setWebApplicationType(WebApplicationType.NONE);
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.data.redis.url", options.text("redis", ""));
		properties.put("steadyjobs.prefix", options.text("prefix", ""));
		properties.put("logging.level.io.github.steadyjobs", "error");
		properties.put(JOBS, jobs);
		properties.put("spring.autoconfigure.exclude", String.join(",", excluded(jobs)));
		application.setDefaultProperties(properties);
		try (ConfigurableApplicationContext context = application.run()) {
			try (RedisConnection connection = context.getBean(RedisConnectionFactory.class).getConnection()) {
				connection.ping();
			}
			System.out.println(ANSWER + ManagementFactory.getRuntimeMXBean().getUptime());
		}
	}

	private static List<String> excluded(boolean jobs) {
		List<String> excluded = new ArrayList<>(List.of(MicrometerTracingAutoConfiguration.class.getName(),
				OpenTelemetryTracingAutoConfiguration.class.getName()));
		if (!jobs) {
			ImportCandidates.load(AutoConfiguration.class, null).forEach((name) -> {
				if (name.startsWith("io.github.steadyjobs.")) {
					excluded.add(name);
				}
			});
		}
		return excluded;
	}

	/**
	 * An application that may have a job.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ConditionalOnProperty(JOBS)
		Greetings greetings() {
			return new Greetings();
		}

	}

	/**
	 * A job that is never enqueued.
	 */
	static final class Greetings {

		@Job
		@NotIdempotent("it is never enqueued")
		void greet(String name) {
		}

	}

}
