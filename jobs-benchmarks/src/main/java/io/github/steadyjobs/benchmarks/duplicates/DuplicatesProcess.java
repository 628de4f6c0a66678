package io.github.steadyjobs.benchmarks.duplicates;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.Options;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The program of each process that {@link DuplicatesCommand} starts. It has threads that
 * enqueue jobs and workers that run them.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DuplicatesProcess {

	/**
	 * The name of the command. Only {@link DuplicatesCommand} uses it.
	 */
	public static final String COMMAND = "duplicates-process";

	private static final int REPORTED_AFTER = 100;

	/**
	 * Enqueue and run jobs until the parent process ends, or stops this process.
	 * @param args address of the server, prefix of the keys and settings
	 * @return 0 after the parent process has ended
	 * @throws Exception if the application does not start
	 */
	public static int run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "prefix", "keys", "enqueues", "threads"));
		try (ConfigurableApplicationContext context = start(options.text("redis", ""), options.text("prefix", ""),
				true)) {
			int enqueues = Integer.parseInt(options.text("enqueues", "0"));
			enqueue(context, options.number("keys", 1000), enqueues, options.number("threads", 16));
			System.out.println("enqueued");
			while (System.in.read() >= 0) {
				Thread.onSpinWait();
			}
		}
		return 0;
	}

	static ConfigurableApplicationContext start(String redis, String prefix, boolean worker) {
		SpringApplication application = new SpringApplication(DuplicatesProcess.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setWebApplicationType(WebApplicationType.NONE);
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.data.redis.url", redis);
		properties.put("steadyjobs.prefix", prefix);
		properties.put("steadyjobs.worker.enabled", worker);
		properties.put("steadyjobs.liveness.beat", "500ms");
		properties.put("steadyjobs.liveness.death-after", "4s");
		properties.put("logging.level.root", "warn");
		application.setDefaultProperties(properties);
		return application.run();
	}

	private static void enqueue(ConfigurableApplicationContext context, int keys, int enqueues, int threads)
			throws InterruptedException {
		AtomicInteger left = new AtomicInteger(enqueues);
		List<Thread> running = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(() -> enqueue(context, keys, left), "enqueue-" + i);
			thread.start();
			running.add(thread);
		}
		for (Thread thread : running) {
			thread.join();
		}
	}

	private static void enqueue(ConfigurableApplicationContext context, int keys, AtomicInteger left) {
		StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
		Ledger ledger = context.getBean(Ledger.class);
		JobClient client = context.getBean(JobClient.class);
		Map<String, Integer> counts = new HashMap<>();
		int made = 0;
		while (left.getAndDecrement() > 0) {
			EnqueueResult result = change(redis, ledger, client, ThreadLocalRandom.current().nextInt(keys));
			counts.merge("enqueues", 1, Integer::sum);
			counts.merge(kind(result), 1, Integer::sum);
			if (++made % REPORTED_AFTER == 0) {
				report(redis, ledger, counts);
			}
		}
		report(redis, ledger, counts);
	}

	/**
	 * Change the state of a key, and enqueue the job that processes it.
	 */
	static EnqueueResult change(StringRedisTemplate redis, Ledger ledger, JobClient client, int key) {
		redis.opsForHash().increment(ledger.states(), Integer.toString(key), 1);
		return client.enqueue(JobRequest.named("duplicates", key));
	}

	private static String kind(EnqueueResult result) {
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			return duplicate.runsOnceMore() ? "asked_for_one_more" : "dropped";
		}
		return "stored";
	}

	private static void report(StringRedisTemplate redis, Ledger ledger, Map<String, Integer> counts) {
		counts.forEach((name, count) -> redis.opsForHash().increment(ledger.counts(), name, count));
		counts.clear();
	}

	@Bean
	Ledger ledger(Environment environment) {
		return new Ledger(environment.getRequiredProperty("steadyjobs.prefix") + "-ledger");
	}

	@Bean
	DuplicateJobs duplicateJobs(StringRedisTemplate redis, Ledger ledger) {
		return new DuplicateJobs(redis, ledger);
	}

}
