package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.audit.AuditStore;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.benchmarks.RedisFigures;
import io.github.steadyjobs.benchmarks.chaos.ChaosResult.Progress;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * One run of the chaos program: inject faults, let everything settle, and judge the
 * history.
 */
final class Chaos implements AutoCloseable {

	/**
	 * How much longer than planned enqueueing may take on a slow machine.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration CONTROL_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * The timeout of the producer, which must not wait a whole minute for a lost answer.
	 */
	private static final Duration PRODUCER_TIMEOUT = Duration.ofSeconds(2);

	private static final int MOST_BREACHES = 20;

	private final ChaosOptions options;

	private final String prefix = "chaos-" + UUID.randomUUID();

	private final Incidents incidents = new Incidents();

	private final Path directory;

	private final Stage stage;

	private final Fleet fleet;

	private final ConfigurableApplicationContext control;

	private final ControlConnection servers;

	private final AuditStore store;

	private final Auditor auditor;

	private final Operator operator;

	private boolean closed;

	Chaos(ChaosOptions options, Path directory) throws IOException {
		this.options = options;
		this.directory = directory;
		this.stage = Stage.build(options);
		this.servers = new ControlConnection(this.stage.servers());
		this.fleet = new Fleet(options.fleet().workers(), directory, this::workerOptions, this.incidents,
				options.fleet().otherJar());
		this.control = ChaosApplication.startClient(Operator.Application.class, this.stage.redis(), this.prefix,
				CONTROL_TIMEOUT);
		this.store = new AuditStore(this.control.getBean(RedisConnections.class), this.prefix);
		this.operator = new Operator(this.control, options.load().seed());
		this.auditor = new Auditor(this.control.getBean(JobAudit.class), this.incidents, options.faults());
	}

	private List<String> workerOptions(int slot) {
		return List.of(ChaosWorker.COMMAND, "--redis", this.stage.relays(slot).redis(), "--prefix", this.prefix,
				"--concurrency", Integer.toString(this.options.fleet().concurrency()), "--claim-ahead",
				this.options.fleet().claimAhead().toMillis() + "ms", "--beat",
				this.options.timing().beat().toMillis() + "ms", "--death-after",
				this.options.timing().deathAfter().toMillis() + "ms");
	}

	ChaosResult run() throws Exception {
		checkRedis();
		this.fleet.start();
		long started = System.currentTimeMillis();
		this.incidents.say("%d workers run", this.options.fleet().workers());
		Runnable endOfAudits = this.auditor.start();
		Runnable endOfDeeds = this.options.load().operator() ? this.operator.start() : () -> {
		};
		List<Push> pushes;
		Faults faults = new Faults(this.stage, this.fleet, this.servers, this.incidents);
		try (ConfigurableApplicationContext producing = ChaosApplication.startClient(ChaosApplication.class,
				this.stage.producerRelays().redis(), this.prefix, PRODUCER_TIMEOUT)) {
			Producer producer = new Producer(producing.getBean(JobClient.class), this.options);
			producer.start();
			faults.inject(FaultPlan.draw(this.options));
			pushes = producer.await(Duration.ofSeconds(this.options.load().seconds()).plus(PATIENCE));
			producer.failures().forEach((why, count) -> this.incidents.say("%d pushes failed: %s", count, why));
		}
		this.incidents.say("%d jobs are enqueued", pushes.size());
		faults.awaitRepairs(this.options.timing().pause().plus(PATIENCE));
		endOfDeeds.run();
		long disturbed = System.nanoTime();
		Places places = settle();
		double settled = Math.round((System.nanoTime() - disturbed) / 1e6) / 1e3;
		this.incidents.say("%d jobs are left", places.live().size());
		if (!places.isSettled()) {
			places.details(this.store).forEach((detail) -> this.incidents.say("%s", detail));
		}
		else if (!places.locks().isEmpty()) {
			this.incidents.say("locks are left: %s", places.locks());
		}
		Duration standstill = longestStandstill(started);
		this.fleet.stop();
		endOfAudits.run();
		// The last audit comes after the shutdown, because a shutdown must not break
		// anything either.
		Patience.call(this.auditor::run);
		return judge(pushes, places, faults, new Progress(settled, standstill.toMillis() / 1000.0));
	}

	private void checkRedis() throws InterruptedException {
		try {
			Patience.call(() -> Places.read(this.store));
		}
		catch (JobStoreException ex) {
			throw new IllegalArgumentException(
					"The Redis at '%s' does not answer: %s Start one there, or use '--redis %s'."
						.formatted(this.stage.redis(), String.valueOf(ex.getMessage()), ChaosOptions.EMBEDDED),
					ex);
		}
	}

	/**
	 * Wait until there are no more jobs to run, or the time to settle has passed.
	 */
	private Places settle() throws InterruptedException {
		long deadline = System.nanoTime() + this.options.timing().settle().toNanos();
		Places places = Patience.call(() -> Places.read(this.store));
		while (!places.isSettled() && System.nanoTime() - deadline < 0) {
			Thread.sleep(100);
			places = Patience.call(() -> Places.read(this.store));
		}
		return places;
	}

	/**
	 * Return the longest period so far without a tick of the recurring job.
	 */
	private Duration longestStandstill(long started) throws IOException {
		List<Long> times = new ArrayList<>(List.of(started, System.currentTimeMillis()));
		for (WorkerProcess worker : this.fleet.everStarted()) {
			for (String note : EffectReader.read(worker.log(), worker.slot()).notes()) {
				times.add(Long.valueOf(note));
			}
		}
		Collections.sort(times);
		long longest = 0;
		for (int i = 1; i < times.size(); i++) {
			longest = Math.max(longest, times.get(i) - times.get(i - 1));
		}
		return Duration.ofMillis(longest);
	}

	private ChaosResult judge(List<Push> pushes, Places places, Faults faults, Progress progress)
			throws IOException, InterruptedException {
		List<Run> runs = new ArrayList<>();
		int fencedOff = 0;
		for (WorkerProcess worker : this.fleet.everStarted()) {
			EffectReader log = EffectReader.read(worker.log(), worker.slot());
			runs.addAll(log.runs());
			fencedOff += log.refusals();
		}
		List<Incident> happened = this.incidents.all();
		History history = new History(pushes, runs, happened, places, dead(places), this.operator.deleted());
		history.write(this.directory.resolve("history.txt"));
		this.operator.write(this.directory.resolve("operator.txt"));
		Ownership ownership = new Ownership(happened, this.options.timing());
		Verdict verdict = new HistoryCheck(history, ownership, this.options.fleet().workers()).verdict();
		KeyOrder order = new KeyOrderCheck(history, ownership).verdict();
		Stream.concat(order.violations().stream(), order.atOnce().stream())
			.limit(MOST_BREACHES)
			.forEach((breach) -> this.incidents.say("%s", breach));
		// A lock counts as left over only if no job is waiting or running.
		int locksLeft = places.isSettled() ? places.locks().size() : 0;
		return new ChaosResult(verdict, order, this.auditor.findings().withLocks(locksLeft), fencedOff, faults.counts(),
				this.operator.deeds(), progress, this.options.load().seed());
	}

	/**
	 * Return the numbers of dead jobs. A dead payload of an ordered job has its own id.
	 */
	private Set<Integer> dead(Places places) throws InterruptedException {
		JobClient client = this.control.getBean(JobClient.class);
		Set<Integer> dead = new HashSet<>();
		for (String id : places.dead()) {
			Patience.call(() -> client.find(id))
				.ifPresent((job) -> dead.add(job.arguments().get(0).path("number").intValue()));
		}
		return dead;
	}

	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.fleet.close();
		if (!this.options.isCluster()) {
			clear();
		}
		this.control.close();
		this.servers.close();
		this.stage.close();
	}

	private void clear() {
		try {
			new RedisFigures(this.control.getBean(RedisConnectionFactory.class)).clear(this.prefix);
		}
		catch (RuntimeException ex) {
			this.incidents.say("could not delete the keys below '%s': %s", this.prefix, ex);
		}
	}

}
