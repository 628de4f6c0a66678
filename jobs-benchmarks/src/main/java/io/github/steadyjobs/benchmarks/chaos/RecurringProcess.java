package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.benchmarks.Options;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * The program of a worker process of {@code recurring}: it runs recurring jobs whose
 * class is generated at run time.
 */
@Configuration(proxyBeanMethods = false)
@Import(RecurringProcess.Jobs.class)
public class RecurringProcess {

	/**
	 * The name of the command. Only {@link RecurringCommand} uses it.
	 */
	public static final String COMMAND = "recurring-process";

	/**
	 * Run recurring jobs until the parent process ends, or stops this process.
	 * @param args address of the server, prefix of the keys, log and settings
	 * @return never 0, because the process normally ends by a signal
	 * @throws Exception if the application does not start
	 */
	public static int run(String[] args) throws Exception {
		Options options = new Options(args,
				Set.of("redis", "prefix", "log", "jobs", "seed", "late-after", "concurrency", "beat", "death-after"));
		return ChaosWorker.run(RecurringProcess.class, TickSpec.QUEUES, options,
				Map.of("spring.application.name", "recurring", "steadyjobs.ticks.late-after",
						options.text("late-after", "1m"), "chaos.jobs", options.text("jobs", "0"), "chaos.seed",
						options.text("seed", "")));
	}

	/**
	 * Registers the bean that has the jobs.
	 */
	static class Jobs implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			int jobs = environment.getRequiredProperty("chaos.jobs", Integer.class);
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
