package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.redis.ParkedStore;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.ProcessStore.Instruction;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.ProcessReport.ProcessName;
import io.github.steadyjobs.server.UnitOfWork.Surroundings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The capsules of a process, and what they share, from one start to the next stop.
 */
final class WorkerProcess implements PresenceListener {

	private static final Logger logger = LoggerFactory.getLogger(WorkerProcess.class);

	private static final Duration DUMP_KEPT = Duration.ofMinutes(10);

	/**
	 * How long to wait for joins. A join that reaches Redis after this process has left
	 * would leave the process's name behind.
	 */
	private static final Duration TIME_TO_JOIN = Duration.ofSeconds(1);

	private final BackgroundThread timer = new BackgroundThread("jobs-timer", true, this::unexpected);

	/**
	 * Not a daemon thread: the process must stay alive even if all its workers are
	 * virtual threads, which do not keep the JVM alive.
	 */
	private final BackgroundThread beats = new BackgroundThread("jobs-heartbeat", false, this::unexpected);

	private final BackgroundThread chores = new BackgroundThread("jobs-chores", true, this::unexpected);

	/** A separate thread, so that no other work delays the recovery of jobs. */
	private final BackgroundThread recoveries = new BackgroundThread("jobs-recovery", true, this::unexpected);

	private final ProcessName name = ProcessName.create();

	private final WorkStore store;

	private final WorkerSettings settings;

	private final ThreadFactory threads;

	private final WorkerEvents events;

	private final Hooks hooks;

	private final Vitals vitals;

	private final Presence presence;

	private final List<Manager> managers = new ArrayList<>();

	private final Isolation isolation;

	private final JobRecovery recovery;

	private final DeathWatch deaths;

	private final StrayJobs strays;

	private final Gates gates;

	private final ParkedJobs parked;

	private final RunWatch watch;

	private final ProcessReport report;

	private final ProcessControl control = new ProcessControl();

	private final UnservedQueues unserved;

	private final Map<String, Beat> answers = new ConcurrentHashMap<>();

	private final AtomicReference<String> state = new AtomicReference<>("running");

	WorkerProcess(RedisConnections connections, String prefix, JobExecution execution, WorkerSettings settings,
			ThreadFactory threads, WorkerEvents events) {
		LivenessStore liveness = new LivenessStore(connections, prefix, settings.dead());
		ProcessStore processes = new ProcessStore(connections, prefix);
		QueueMonitor monitor = new QueueMonitor(connections, prefix);
		String process = this.name.toString();
		this.store = new WorkStore(connections, prefix, settings.dead());
		this.settings = settings;
		this.threads = threads;
		this.events = events;
		this.hooks = new Hooks(execution, threads);
		Gate.Worker worker = new GatedWorker();
		this.gates = new Gates(execution.gates().stream().map((maker) -> maker.make(worker)).toList());
		this.vitals = new Vitals(monitor, this.events, this.hooks::failed, this.gates::heard,
				settings.liveness().stalledAfter());
		this.presence = new Presence(liveness, process, settings.liveness(), this.vitals, this.events);
		this.watch = new RunWatch(settings.oversight(), this.events, new Timeouts(this.timer));
		this.parked = new ParkedJobs(new ParkedStore(connections, prefix), execution.registry(), this.gates, this::look,
				this.chores);
		JobRetry retry = new JobRetry(execution.retryDelay(), execution.codec(), Clock.systemUTC(),
				settings.failures().retries(), settings.failures().backtraceLines());
		settings.capsules().forEach((capsule) -> this.managers.add(manager(capsule, execution, retry, monitor)));
		this.isolation = new Isolation(this.presence, liveness, this.managers, settings.liveness());
		this.recovery = new JobRecovery(liveness, this.store, settings, retry, this.hooks, this.events);
		this.deaths = new DeathWatch(liveness, process, settings.liveness(), this.recovery,
				new ForgottenQueues(liveness, monitor), this.recoveries);
		List.<PresenceListener>of(this, this.deaths, this.parked, this.gates).forEach(this.presence::listen);
		this.managers.forEach(this.presence::listen);
		this.presence.listen(this.isolation);
		this.strays = new StrayJobs(liveness, this.presence, this.managers, this.vitals, this.recovery);
		this.report = new ProcessReport(processes, this.name, settings.oversight(), this.managers, this.state::get);
		this.control.on(Instruction.QUIET, (number) -> quiet()).on(Instruction.DUMP, (number) -> {
			String dump = threadDump();
			processes.keepThreadDump(process, number, dump, DUMP_KEPT);
			logger.warn("This process was asked for its threads:\n{}", dump);
		});
		Set<String> served = new HashSet<>();
		settings.capsules().forEach((capsule) -> served.addAll(capsule.parts()));
		this.unserved = new UnservedQueues(monitor, served);
	}

	private Manager manager(Capsule capsule, JobExecution execution, JobRetry retry, QueueMonitor monitor) {
		Repeater repeater = new Repeater(this.timer);
		FetchLoop loop = new FetchLoop(repeater, this.vitals);
		Settlements settlements = new Settlements(this.store, this.presence, this.hooks, this.vitals, repeater,
				loop::run);
		WorkQueue workQueue = new WorkQueue(capsule.concurrency(), ClaimAhead.of(capsule, this.settings.liveness()),
				settlements::hold);
		Claims claims = new Claims(capsule, this.store, this.presence, settlements.acknowledger(), this.vitals, loop);
		LagOrder.Lags lags = (queues) -> CompletableFuture.supplyAsync(() -> monitor.lags(queues), this.chores)
			.whenComplete((measured, failure) -> this.timer.execute(loop::run));
		QueueOrder order = QueueOrders.of(capsule, this.settings.orderOfParts(), lags, ThreadLocalRandom.current());
		Fetcher fetcher = new Fetcher(loop, claims, workQueue, settlements, order);
		Surroundings surroundings = new Surroundings(capsule.name(), execution.codec(), this.presence::isCurrent,
				this::isStopping, settlements::advance);
		Processor processor = new Processor(execution, surroundings, retry, settlements, this.gates, this.watch);
		return new Manager(capsule, workQueue, fetcher, processor, this.presence, this.vitals);
	}

	/**
	 * Set the action to run when an operator asks this process to stop. Must be called
	 * before the start.
	 */
	void onStopRequest(Runnable listener) {
		this.control.on(Instruction.STOP, (number) -> listener.run());
	}

	void start() {
		this.managers.forEach((manager) -> manager.start(this.threads));
		this.presence.start(this.beats);
		long interval = this.settings.liveness().beat().toMillis();
		this.chores.repeat(this::round, 0, interval, TimeUnit.MILLISECONDS);
		this.chores.repeat(this.unserved::look, 10, 60, TimeUnit.SECONDS);
		// Run this on another thread: it connects to Redis, and must not delay the start
		// of the application.
		this.recoveries.execute(this.isolation::begin);
		this.events.publish(new WorkerEvent.Started(this.name.toString()));
	}

	@Override
	public void answered(String queue, Beat beat) {
		this.answers.put(queue, beat);
	}

	private void look(String queue) {
		this.managers.forEach((manager) -> manager.fetcher().look(queue));
	}

	/** Do the work that is due with each heartbeat but must not delay heartbeats. */
	private void round() {
		this.watch.look(runs());
		if (!this.answers.isEmpty()) {
			Map<String, Beat> answered = Map.copyOf(this.answers);
			this.answers.clear();
			this.managers.forEach((manager) -> manager.judge(answered));
			this.events.publish(new WorkerEvent.Beat(this.name.toString()));
			this.report.beat(this.settings.liveness().beat(), this.control.obeyed()).thenAccept(this.control::asked);
			this.recoveries.execute(() -> recover(answered.keySet()));
			this.gates.round();
		}
	}

	private void recover(Set<String> served) {
		this.deaths.lookAtOthers(served);
		this.strays.round();
		report(false);
	}

	void quiet() {
		if (this.state.compareAndSet("running", "quiet")) {
			this.events.publish(new WorkerEvent.Quieted(this.name.toString()));
		}
		this.isolation.stop();
		// All capsules must stop fetching before any capsule gives jobs back. Two
		// capsules may serve the same queue, and a job returned by the first must not
		// start in the second.
		this.managers.forEach((manager) -> manager.fetcher().close());
		this.managers.forEach((manager) -> manager.fetcher().giveBackWaiting());
	}

	/**
	 * Take no more jobs, and announce that running jobs are about to be interrupted.
	 * Returns at once.
	 */
	void announceStop() {
		quiet();
		if (!"stopping".equals(this.state.getAndSet("stopping"))) {
			this.events.publish(new WorkerEvent.Stopping(this.name.toString()));
			// From here on, a death of this process does not count as a crash of its
			// jobs.
			this.presence.announceStop();
		}
	}

	private boolean isStopping() {
		return "stopping".equals(this.state.get());
	}

	/** Return whether Redis was never available, so no entries need to be removed. */
	boolean hasNothingToLeave() {
		return !this.presence.hasJoined() && this.vitals.isAway();
	}

	/**
	 * Stop the capsules for good.
	 * @return the number of jobs that did not end in time
	 */
	int stop() {
		announceStop();
		int unfinished = 0;
		try {
			Shutdown shutdown = new Shutdown(this.managers, this.settings.shutdownTimeout());
			unfinished = shutdown.run(hasNothingToLeave() ? () -> {
			} : this::leave).size();
		}
		finally {
			this.managers.forEach(Manager::interrupt);
			this.beats.shutdownNow();
			this.chores.shutdownNow();
			this.recoveries.shutdownNow();
			this.hooks.stop();
			this.timer.shutdownNow();
			this.events.publish(new WorkerEvent.Stopped(this.name.toString(), unfinished));
			this.events.close();
		}
		return unfinished;
	}

	/** Log events that may concern several queues, with one line for each event. */
	private void report(boolean all) {
		this.recovery.report(all);
		this.presence.report(all);
		this.vitals.report(all);
	}

	private void leave() {
		this.beats.shutdownNow();
		this.chores.shutdownNow();
		this.recoveries.shutdownNow();
		try {
			// A call under way might restore entries that are removed below.
			this.chores.awaitTermination(1, TimeUnit.SECONDS);
			this.recoveries.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		report(true);
		this.presence.awaitJoins(TIME_TO_JOIN);
		// Jobs that were not given back must not run elsewhere until their runs here have
		// returned.
		Set<String> held = this.managers.stream()
			.flatMap((manager) -> manager.running().stream())
			.filter((work) -> !work.isGivenBack())
			.map((work) -> work.token().queue())
			.collect(Collectors.toSet());
		this.presence.names().forEach((queue, process) -> {
			if (held.contains(queue)) {
				logger.warn("A job of queue {} has not returned. It stays with this process, and others "
						+ "recover it in {} s", queue, this.settings.liveness().deathAfter().toSeconds());
				return;
			}
			long moved = this.recovery.leave(queue, process);
			if (moved > 0) {
				logger.warn("More jobs of queue {} were put back: {}", queue, moved);
			}
		});
		this.report.remove();
	}

	List<Capsule.Status> capsules() {
		return this.managers.stream().map(Manager::status).toList();
	}

	private List<WorkerRun> runs() {
		return this.managers.stream().flatMap((manager) -> manager.runs().stream()).toList();
	}

	String threadDump() {
		return ThreadDump.of(runs());
	}

	Map<String, String> dataLosses() {
		return this.vitals.losses();
	}

	Duration shutdownTimeout() {
		return this.settings.shutdownTimeout();
	}

	private void unexpected(Throwable failure) {
		this.hooks.failed(failure);
	}

	/** This process, as seen by its gates. */
	private final class GatedWorker implements Gate.Worker {

		@Override
		public String process() {
			return WorkerProcess.this.name.toString();
		}

		@Override
		public void look(String queue) {
			WorkerProcess.this.look(queue);
		}

		@Override
		public void opened(String queue) {
			chores().execute(() -> WorkerProcess.this.parked.owe(queue));
		}

		@Override
		public void opened() {
			WorkerProcess.this.parked.oweAll();
		}

		@Override
		public ScheduledExecutorService chores() {
			return WorkerProcess.this.chores;
		}

	}

}
