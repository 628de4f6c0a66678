package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.benchmarks.RedisFigures;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * One run of the program {@code recurring}: let ticks occur, inject faults, and judge the
 * history.
 */
final class RecurringChaos implements RecurringCommand.Program {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int MOST_UNEXPLAINED = 20;

	private static final long LOOK_EVERY_MILLIS = 500;

	private final RecurringOptions options;

	private final List<TickSpec> specs;

	private final String prefix = "recurring-" + UUID.randomUUID();

	private final Incidents incidents = new Incidents();

	private final Stage stage;

	private final TickWitness witness;

	private final Fleet fleet;

	private final ConfigurableApplicationContext control;

	private boolean closed;

	RecurringChaos(RecurringOptions options, Path directory) throws IOException {
		this.options = options;
		ChaosOptions.Load load = options.chaos().load();
		this.specs = TickSpec.draw(load.jobs(), load.seed());
		this.stage = Stage.build(options.chaos());
		this.witness = new TickWitness(this.stage.servers().get(0), this.prefix);
		this.fleet = new Fleet(
				options.chaos().fleet().workers(), directory, (slot) -> options.process(this.stage.relays(slot).redis(),
						this.prefix, load.jobs(), Long.toString(load.seed())),
				this.incidents, options.chaos().fleet().otherJar());
		this.control = ChaosApplication.startClient(ChaosApplication.class, this.stage.redis(), this.prefix,
				Duration.ofSeconds(10));
	}

	@Override
	public Map<String, Object> run() throws Exception {
		this.witness.connect();
		this.stage.onRestart(this.witness::connect);
		this.fleet.start();
		Instant from = awaitDeclared();
		this.incidents.say("all recurring jobs are declared");
		Instant to = from.plusSeconds(this.options.chaos().load().seconds());
		Map<Fault, Integer> faults = disturb(to);
		TickVerdict verdict = settle(from, to);
		verdict.unexplained()
			.stream()
			.limit(MOST_UNEXPLAINED)
			.forEach((tick) -> this.incidents.say("unexplained: %s", tick));
		this.fleet.stop();
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.specs.size());
		figures.put("processes", this.options.chaos().fleet().workers());
		figures.put("seconds", this.options.chaos().load().seconds());
		figures.putAll(verdict.figures());
		figures.put("faults", faults);
		figures.put("seed", this.options.chaos().load().seed());
		figures.put("clean", verdict.isClean());
		return figures;
	}

	/**
	 * Wait until all recurring jobs are declared.
	 * @return the time from which ticks are counted
	 */
	private Instant awaitDeclared() throws InterruptedException {
		RecurringJobs jobs = new RecurringJobs(this.control.getBean(RedisConnections.class), this.prefix,
				this.control.getBean(JobClient.class), this.control.getBean(JobRegistry.class));
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			List<RecurringState> states = jobs.list();
			if (states.size() == this.specs.size()
					&& states.stream().allMatch((state) -> state.status() == RecurringState.Status.ACTIVE)) {
				checkSchedules(states);
				return Instant.ofEpochMilli(System.currentTimeMillis()).plusSeconds(1);
			}
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException(
						"Of %d recurring jobs only %d are declared".formatted(this.specs.size(), states.size()));
			}
			Thread.sleep(LOOK_EVERY_MILLIS);
		}
	}

	private void checkSchedules(List<RecurringState> states) {
		for (int i = 0; i < states.size(); i++) {
			if (!states.get(i).job().schedule().equals(this.specs.get(i).schedule())) {
				throw new IllegalStateException(
						"Declared is %s instead of %s".formatted(states.get(i).job(), this.specs.get(i)));
			}
		}
	}

	private Map<Fault, Integer> disturb(Instant to) throws InterruptedException {
		long every = this.options.faultEvery().toMillis();
		try (ControlConnection servers = new ControlConnection(this.stage.servers())) {
			Faults faults = new Faults(this.stage, this.fleet, servers, this.incidents);
			faults.inject(FaultPlan.draw(this.options.chaos(), every / 2, every * 3 / 2));
			Thread.sleep(Math.max(0, to.toEpochMilli() - System.currentTimeMillis()));
			faults.awaitRepairs(this.options.chaos().timing().pause().plus(PATIENCE));
			return faults.counts();
		}
	}

	/**
	 * Wait until all ticks are explained, or the time to settle has passed.
	 */
	private TickVerdict settle(Instant from, Instant to) throws IOException, InterruptedException {
		long deadline = System.nanoTime() + this.options.chaos().timing().settle().toNanos();
		TickVerdict verdict = judge(from, to);
		while (!verdict.unexplained().isEmpty() && System.nanoTime() - deadline < 0) {
			Thread.sleep(LOOK_EVERY_MILLIS);
			verdict = judge(from, to);
		}
		return verdict;
	}

	private TickVerdict judge(Instant from, Instant to) throws IOException {
		List<Run> runs = new ArrayList<>();
		Map<String, Instant> dues = new HashMap<>();
		Set<String> told = new HashSet<>();
		for (WorkerProcess worker : this.fleet.everStarted()) {
			EffectReader log = EffectReader.read(worker.log(), worker.slot());
			runs.addAll(log.runs());
			for (String note : log.notes()) {
				String[] words = note.split(" ");
				if (words[0].equals(TickJobs.DUE)) {
					dues.put(words[1], TickDecision.time(words[2]));
				}
				else {
					told.add(words[1] + " " + words[2]);
				}
			}
		}
		List<Incident> happened = this.incidents.all();
		TickHistory history = new TickHistory(from, to, this.options.lateAfter(), this.witness.decisions(), runs, dues,
				told, happened);
		return TickVerdict.of(this.specs, history, new Ownership(happened, this.options.chaos().timing()));
	}

	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.fleet.close();
		try {
			this.witness.close();
			new RedisFigures(this.control.getBean(RedisConnectionFactory.class)).clear(this.prefix);
		}
		catch (IOException | RuntimeException ex) {
			this.incidents.say("could not delete the keys below '%s': %s", this.prefix, ex);
		}
		this.control.close();
		this.stage.close();
	}

}
