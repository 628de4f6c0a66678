package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.benchmarks.Options;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The program of a worker process: an application that records what its jobs do. It runs
 * the jobs of the chaos program, or other jobs.
 */
@Configuration(proxyBeanMethods = false)
@Import(ChaosApplication.class)
public class ChaosWorker {

	/**
	 * The name of the command. Only {@link WorkerProcess} uses it.
	 */
	public static final String COMMAND = "chaos-worker";

	/**
	 * Run the jobs of the chaos program until the parent process ends, or stops this
	 * process.
	 * @param args address of the server, prefix of the keys, log and settings
	 * @return never 0, because the process normally ends by a signal
	 * @throws Exception if the application does not start
	 */
	public static int run(String[] args) throws Exception {
		Options options = new Options(args,
				Set.of("redis", "prefix", "log", "concurrency", "claim-ahead", "beat", "death-after"));
		return run(ChaosJobs.class, Order.QUEUES, options,
				Map.of("steadyjobs.capsules.default.claim-ahead", options.text("claim-ahead", "5ms")));
	}

	/**
	 * Run jobs until the parent process ends, or stops this process.
	 * @param jobs the class that declares the jobs, or a configuration class
	 * @param queues the queues of these jobs
	 * @param options address of the server, prefix of the keys, log and settings
	 * @param more further properties, needed only for these jobs
	 * @return never 0, because the process normally ends by a signal
	 * @throws Exception if the application does not start
	 */
	static int run(Class<?> jobs, Collection<String> queues, Options options, Map<String, ?> more) throws Exception {
		Map<String, Object> properties = new HashMap<>(more);
		properties.putAll(ChaosApplication.connectionTo(options.text("redis", "")));
		properties.put("steadyjobs.prefix", options.text("prefix", ""));
		properties.put("steadyjobs.capsules.default.concurrency", options.number("concurrency", 10));
		queues.forEach((queue) -> properties.put("steadyjobs.queues." + queue + ".weight", 1));
		properties.put("steadyjobs.liveness.beat", options.text("beat", "5s"));
		properties.put("steadyjobs.liveness.death-after", options.text("death-after", "30s"));
		properties.put("chaos.log", options.text("log", ""));
		ChaosApplication.start(properties, ChaosWorker.class, jobs);
		// The parent process never writes to this pipe, which is closed when the parent
		// process ends.
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

}
