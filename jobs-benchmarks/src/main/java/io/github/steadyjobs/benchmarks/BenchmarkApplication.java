package io.github.steadyjobs.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.github.steadyjobs.server.Launcher;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The application under measurement: the starter and Actuator with their defaults, and
 * one job. Workers start when the measurement wants them to.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BenchmarkApplication {

	@Bean
	Runs runs() {
		return new Runs();
	}

	@Bean
	BenchmarkJobs benchmarkJobs(Runs runs) {
		return new BenchmarkJobs(runs);
	}

	/**
	 * Start the application.
	 * @param redis address of the server, or {@code embedded}
	 * @param prefix prefix of all keys
	 * @param concurrency number of workers
	 */
	static Running start(String redis, String prefix, int concurrency) {
		SpringApplication application = new SpringApplication(BenchmarkApplication.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setWebApplicationType(WebApplicationType.NONE);
		Map<String, Object> properties = new HashMap<>();
		if (!redis.equals("embedded")) {
			properties.put("spring.data.redis.url", redis);
		}
		properties.put("steadyjobs.prefix", prefix);
		properties.put("steadyjobs.worker.auto-startup", "false");
		properties.put("steadyjobs.capsules.default.concurrency", concurrency);
		application.setDefaultProperties(properties);
		return new Running(application.run());
	}

	/**
	 * The application while it runs.
	 *
	 * @param context its context
	 */
	record Running(ConfigurableApplicationContext context) implements Contender {

		JobClient client() {
			return this.context.getBean(JobClient.class);
		}

		@Override
		public Runs runs() {
			return this.context.getBean(Runs.class);
		}

		Launcher workers() {
			return this.context.getBean(Launcher.class);
		}

		RedisFigures redis() {
			return new RedisFigures(this.context.getBean(RedisConnectionFactory.class));
		}

		@Override
		public void enqueue(Argument argument) {
			client().enqueue(argument);
		}

		@Override
		public void enqueueAll(List<Argument> arguments) {
			List<JobRequest> requests = new ArrayList<>(arguments.size());
			for (Argument argument : arguments) {
				requests.add(JobRequest.of(argument));
			}
			client().enqueueAll(requests);
		}

		@Override
		public void startWorkers() {
			workers().start();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
