package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.github.steadyjobs.benchmarks.Monitor;
import io.github.steadyjobs.benchmarks.RedisFigures;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Measures the cost of recurring jobs while they are not due, by comparing the commands
 * that processes send with and without such jobs.
 */
final class RecurringIdle implements RecurringCommand.Program {

	private final RecurringOptions options;

	private final Path directory;

	private final String prefix = "recurring-" + UUID.randomUUID();

	private final Incidents incidents = new Incidents();

	private final Stage stage;

	RecurringIdle(RecurringOptions options, Path directory) throws IOException {
		this.options = options;
		this.directory = directory;
		this.stage = Stage.build(options.chaos());
	}

	@Override
	public Map<String, Object> run() throws Exception {
		Map<String, Integer> without = commands("without", 0);
		Map<String, Integer> with = commands("with", this.options.chaos().load().jobs());
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.options.chaos().load().jobs());
		figures.put("processes", this.options.chaos().fleet().workers());
		figures.put("seconds", this.options.chaos().load().seconds());
		figures.put("commands_without", without);
		figures.put("commands_with", with);
		figures.put("without_per_s_and_process", rate(without));
		figures.put("with_per_s_and_process", rate(with));
		figures.put("recurring_per_s_and_process", thousandths(rate(with) - rate(without)));
		figures.put("allowed_per_s_and_process", 0.2);
		return figures;
	}

	private Map<String, Integer> commands(String name, int jobs) throws Exception {
		String keys = this.prefix + "-" + name;
		Path logs = Files.createDirectories(this.directory.resolve(name));
		try (Fleet fleet = new Fleet(this.options.chaos().fleet().workers(), logs,
				(slot) -> this.options.process(this.stage.relays(slot).redis(), keys, jobs, ""), this.incidents,
				this.options.chaos().fleet().otherJar()); Monitor monitor = new Monitor(this.stage.redis())) {
			fleet.start();
			this.incidents.say("processes %s recurring jobs run", name);
			Thread.sleep(this.options.chaos().timing().settle().toMillis());
			monitor.reset();
			Thread.sleep(this.options.chaos().load().seconds() * 1000L);
			Map<String, Integer> counts = monitor.counts();
			fleet.stop();
			return counts;
		}
	}

	private double rate(Map<String, Integer> commands) {
		double all = commands.values().stream().mapToInt(Integer::intValue).sum();
		return thousandths(all / this.options.chaos().load().seconds() / this.options.chaos().fleet().workers());
	}

	private static double thousandths(double value) {
		return Math.round(value * 1000) / 1000.0;
	}

	@Override
	public void close() {
		if (!this.options.chaos().isEmbedded()) {
			try (ConfigurableApplicationContext control = ChaosApplication.startClient(ChaosApplication.class,
					this.stage.redis(), this.prefix, Duration.ofSeconds(10))) {
				new RedisFigures(control.getBean(RedisConnectionFactory.class)).clear(this.prefix + "*");
			}
		}
		this.stage.close();
	}

}
