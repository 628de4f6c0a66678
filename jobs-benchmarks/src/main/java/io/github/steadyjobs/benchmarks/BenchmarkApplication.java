package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.github.steadyjobs.server.Launcher;
import io.opentelemetry.sdk.trace.export.SpanExporter;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The application being measured: the starter and Actuator with their defaults, and two
 * jobs. The measurement decides when workers start.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BenchmarkApplication {

	@Bean
	Runs runs() {
		return new Runs();
	}

	@Bean
	TaskTimes taskTimes() {
		return new TaskTimes();
	}

	@Bean
	BenchmarkJobs benchmarkJobs(Runs runs, TaskTimes times) {
		return new BenchmarkJobs(runs, times);
	}

	@Bean
	@ConditionalOnProperty(SequentialCommand.PROPERTY)
	SequentialCommand.Updates updates() {
		return new SequentialCommand.Updates();
	}

	@Bean
	@ConditionalOnProperty(TracingCommand.PROPERTY)
	SpanExporter exporter() {
		return TracingCommand.exporter();
	}

	@Bean
	RetryDelay benchmarkRetryDelay() {
		// The first of the default retry delays alone is longer than most measurements.
		return RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(200));
	}

	/**
	 * Run a measurement with a new application, print the figures, and delete all keys.
	 * @param redis address of the server, or {@code embedded}
	 * @param properties further properties of the application
	 * @param measurement measures the application, and returns the figures
	 */
	static void measure(String redis, Map<String, ?> properties, Measurement measurement) throws Exception {
		String prefix = "bench-" + UUID.randomUUID();
		try (Running application = start(redis, prefix, properties)) {
			try {
				Json.print(measurement.figures(application));
			}
			finally {
				application.workers().stop();
				application.redis().clear(prefix);
			}
		}
	}

	/**
	 * Return the property that sets the number of workers.
	 */
	static Map<String, Object> concurrency(int workers) {
		return Map.of("steadyjobs.capsules.default.concurrency", workers);
	}

	/**
	 * Start the application.
	 * @param redis address of the server, or {@code embedded}
	 * @param prefix prefix of all keys
	 * @param more further properties
	 */
	static Running start(String redis, String prefix, Map<String, ?> more) {
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
		// Failing jobs, queues that no process serves yet, and a Redis without
		// persistence are intended here, so they need no warnings.
		properties.put("logging.level.io.github.steadyjobs", "error");
		// Only the command 'tracing' needs a tracer.
		properties.put("spring.autoconfigure.exclude",
				String.join(",", MicrometerTracingAutoConfiguration.class.getName(),
						OpenTelemetryTracingAutoConfiguration.class.getName()));
		properties.putAll(more);
		application.setDefaultProperties(properties);
		ConfigurableApplicationContext context = application.run();
		return new Running(context, prefix, context.getBean(JobClient.class));
	}

	/**
	 * A running application.
	 *
	 * @param context the application context
	 * @param prefix prefix of all keys
	 * @param client the client bean of the application
	 */
	record Running(ConfigurableApplicationContext context, String prefix, JobClient client) implements Contender {

		@Override
		public Runs runs() {
			return this.context.getBean(Runs.class);
		}

		TaskTimes tasks() {
			return this.context.getBean(TaskTimes.class);
		}

		Launcher workers() {
			return this.context.getBean(Launcher.class);
		}

		RedisFigures redis() {
			return new RedisFigures(this.context.getBean(RedisConnectionFactory.class));
		}

		@Override
		public void connect() {
			client().find("0".repeat(24));
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

		/**
		 * Enqueue tasks, 1,000 per call.
		 * @param from number of the first task
		 * @param to number of the last task, plus one
		 * @param request creates the request for a task
		 */
		void enqueueTasks(int from, int to, IntFunction<JobRequest> request) {
			for (int chunk = from; chunk < to; chunk += 1000) {
				client().enqueueAll(IntStream.range(chunk, Math.min(chunk + 1000, to)).mapToObj(request).toList());
			}
		}

		void awaitEmpty() throws InterruptedException {
			awaitEmpty(BenchmarkJobs.QUEUE);
		}

		/**
		 * Wait until a queue has no waiting and no running jobs.
		 */
		void awaitEmpty(String queue) throws InterruptedException {
			RedisFigures redis = redis();
			while (redis.jobs(this.prefix, queue) > 0) {
				Thread.sleep(20);
			}
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

	/**
	 * A measurement with an application.
	 */
	interface Measurement {

		Map<String, Object> figures(Running application) throws Exception;

	}

}
