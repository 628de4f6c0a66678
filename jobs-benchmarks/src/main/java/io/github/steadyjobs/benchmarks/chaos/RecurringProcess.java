package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.benchmarks.Options;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringSettings;
import io.github.steadyjobs.recurring.RecurringWorker;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * What runs in a worker process of the program {@code recurring}.
 */
@Configuration(proxyBeanMethods = false)
@Import({ ChaosApplication.class, RecurringProcess.Jobs.class })
public class RecurringProcess {

	/**
	 * Name of the command, which is for {@link RecurringCommand} alone.
	 */
	public static final String COMMAND = "recurring-process";

	private static final String JOBS = "chaos.jobs";

	/**
	 * Run recurring jobs until the process that started this one ends it, or ends itself.
	 * @param args address of the server, prefix of the keys, log and settings
	 * @return never 0, because otherwise this ends by a signal
	 * @throws Exception if the application does not start
	 */
	public static int run(String[] args) throws Exception {
		Options options = new Options(args,
				Set.of("redis", "prefix", "log", "jobs", "seed", "late-after", "concurrency", "beat", "death-after"));
		Map<String, Object> properties = new HashMap<>();
		properties.putAll(ChaosApplication.connectionTo(options.text("redis", "")));
		properties.put("steadyjobs.prefix", options.text("prefix", ""));
		properties.put("steadyjobs.capsules.default.concurrency", options.number("concurrency", 10));
		TickSpec.QUEUES.forEach((queue) -> properties.put("steadyjobs.queues." + queue + ".weight", 1));
		properties.put("steadyjobs.liveness.beat", options.text("beat", "5s"));
		properties.put("steadyjobs.liveness.death-after", options.text("death-after", "30s"));
		properties.put("chaos.log", options.text("log", ""));
		if (!options.text("jobs", "0").equals("0")) {
			properties.put(JOBS, options.number("jobs", 0));
		}
		properties.put("chaos.seed", options.text("seed", ""));
		properties.put("chaos.late-after", options.text("late-after", "1m"));
		ChaosApplication.start(RecurringProcess.class, properties);
		// Nobody writes. The end of the pipe is the end of the process that started this.
		while (System.in.read() >= 0) {
			Thread.onSpinWait();
		}
		Runtime.getRuntime().halt(1);
		return 1;
	}

	@Bean
	EffectLog effectLog(Environment environment) {
		return new EffectLog(Path.of(environment.getRequiredProperty("chaos.log")));
	}

	@Bean
	WorkerNotes workerNotes(EffectLog log) {
		return new WorkerNotes(log);
	}

	@Bean
	RetryDelay chaosRetryDelay() {
		return RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(200L * (count + 1)));
	}

	/**
	 * A process that declares recurring jobs.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(JOBS)
	static class Declaring {

		@Bean
		RecurringJobs recurringJobs(RedisConnections connections, JobClient client, JobRegistry registry,
				Environment environment) {
			return new RecurringJobs(connections, environment.getRequiredProperty("steadyjobs.prefix"), client,
					registry);
		}

		@Bean
		RecurringWorker recurringWorker(RedisConnections connections, RecurringJobs jobs, JobClient client,
				JobRegistry registry, Environment environment) {
			RecurringSettings settings = new RecurringSettings("recurring", Map.of(), UnaryOperator.identity(),
					DurationStyle.detectAndParse(environment.getRequiredProperty("chaos.late-after")));
			return new RecurringWorker(connections, environment.getRequiredProperty("steadyjobs.prefix"), jobs,
					(PreparingJobClient) client, registry, settings);
		}

	}

	/**
	 * Adds the bean that has the jobs, whose class is made just now.
	 */
	static class Jobs implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			int jobs = environment.getProperty(JOBS, Integer.class, 0);
			String seed = environment.getRequiredProperty("chaos.seed");
			List<TickSpec> specs = seed.isEmpty() ? TickSpec.farAway(jobs) : TickSpec.draw(jobs, Long.parseLong(seed));
			register(registry, TickJobs.withAnnotations(specs), specs);
		}

		private static <T extends TickJobs> void register(BeanRegistry registry, Class<T> type, List<TickSpec> specs) {
			registry.registerBean("tickJobs", type, (bean) -> bean.supplier((beans) -> {
				try {
					return ReflectionUtils.accessibleConstructor(type, EffectLog.class, List.class)
						.newInstance(beans.bean(EffectLog.class), specs);
				}
				catch (ReflectiveOperationException ex) {
					throw new IllegalStateException(ex);
				}
			}));
		}

	}

}
