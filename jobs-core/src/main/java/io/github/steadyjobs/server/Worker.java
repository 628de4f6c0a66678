package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.ProcessState;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueSample;
import io.github.steadyjobs.redis.WorkStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker of a process from one start to the next stop.
 */
final class Worker {

	/**
	 * Time that interrupted jobs get for cleaning up, and Redis for hearing of the rest.
	 */
	private static final Duration CLEAN_UP = Duration.ofSeconds(3);

	private static final Logger logger = LoggerFactory.getLogger(Worker.class);

	private final WorkStore store;

	private final WorkerSettings settings;

	private final Memberships memberships;

	private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1, daemon("jobs-settle"));

	private final ScheduledExecutorService beats = Executors.newScheduledThreadPool(1, daemon("jobs-heartbeat"));

	private final ScheduledExecutorService chores = Executors.newScheduledThreadPool(1, daemon("jobs-chores"));

	private final ThreadFactory threads;

	private final Hooks hooks;

	private final Outage outage;

	private final List<Manager> managers = new ArrayList<>();

	private final WorkerEvents events;

	private final DataWatch data;

	private final Burial burial;

	private final Reaper reaper;

	private final ProcessReport report;

	private final Heartbeat heartbeat;

	private final QueueWatch watch;

	private volatile String state = "running";

	Worker(WorkStore store, QueueMonitor monitor, JobExecution execution, WorkerSettings settings,
			ThreadFactory threads, Consumer<WorkerEvent> events) {
		this.store = store;
		this.threads = threads;
		this.hooks = new Hooks(execution, threads);
		this.outage = new Outage(this.hooks::failed);
		this.settings = settings;
		this.events = new WorkerEvents(events);
		this.data = new DataWatch(this.events);
		ProcessName name = ProcessName.create();
		LivenessStore liveness = store.liveness();
		this.memberships = new Memberships(liveness, name.toString(), this.data, this.events);
		this.memberships
			.onFenced((queue, process) -> this.managers.forEach((manager) -> manager.interruptLost(queue, process)));
		this.burial = new Burial(store, settings.dead(), this.hooks, execution.codec(), Clock.systemUTC());
		this.reaper = new Reaper(liveness, settings.liveness(), this.burial, this.events);
		JobRetry retry = new JobRetry(execution.retryDelay(), execution.codec(), Clock.systemUTC(), settings.retries(),
				settings.backtraceLines());
		LagOrder.Lags lags = (queues) -> lags(monitor, queues);
		WorkerParts parts = new WorkerParts(store, execution, settings, retry, this.burial, this.memberships,
				new SuspectLane(this.memberships), this.data, new ClockWatch(this.events), this.events, this.outage,
				this.scheduler, lags, (queue) -> damage(monitor, queue), this.hooks,
				() -> this.state.equals("stopping"));
		settings.capsules().forEach((capsule) -> this.managers.add(new Manager(capsule, parts)));
		this.report = new ProcessReport(liveness.processRecord(name.toString()), name, this::capsules, () -> this.state,
				Clock.systemUTC());
		this.heartbeat = new Heartbeat(this.memberships, settings.liveness().beat(), this.report,
				heartbeatParts(liveness, name.toString(), List.copyOf(execution.registry().names())));
		Set<String> served = new HashSet<>();
		settings.capsules().forEach((capsule) -> served.addAll(capsule.queueNames()));
		this.watch = new QueueWatch(monitor, served, this.outage);
	}

	private HeartbeatParts heartbeatParts(LivenessStore liveness, String process, List<String> jobNames) {
		DeathWatch deaths = new DeathWatch(this.settings.liveness().deathAfter());
		Sweeper sweeper = new Sweeper(liveness, process, this.settings.liveness().beat(), deaths, this.reaper);
		return new HeartbeatParts(this.store, jobNames, this.data, deaths, this.reaper, sweeper,
				this.managers.stream().map(Manager::watch).toList(),
				(queue) -> this.managers.forEach((manager) -> manager.look(queue)), this.events, this.outage);
	}

	/**
	 * A queue that does not answer comes last, and keeps none of the others waiting.
	 */
	private static List<Duration> lags(QueueMonitor monitor, List<String> queues) {
		Map<String, QueueSample> samples = monitor.sample(queues);
		return queues.stream()
			.map((queue) -> samples.containsKey(queue) ? samples.get(queue).latency() : Duration.ZERO)
			.toList();
	}

	private static String damage(QueueMonitor monitor, String queue) {
		try {
			return monitor.wrongTypes(List.of(queue)).toString();
		}
		catch (JobStoreException ex) {
			return "its keys could not be looked at (" + ex.getMessage() + ")";
		}
	}

	void start() {
		this.managers.forEach((manager) -> manager.start(this.threads));
		this.heartbeat.start(this.beats, this.chores);
		this.watch.start(this.chores);
		this.events.publish(new WorkerEvent.Started(this.report.process()));
	}

	void quiet() {
		if (this.state.equals("running")) {
			this.state = "quiet";
			this.events.publish(new WorkerEvent.Quieted(this.report.process()));
		}
		// All stop fetching before any hands work back. Two capsules may serve one queue,
		// and a job returned by the first must not start in the second.
		this.managers.forEach(Manager::quiet);
	}

	/**
	 * Stop for good.
	 * @return how many jobs did not end in time
	 */
	int stop() {
		long deadline = System.nanoTime() + this.settings.shutdownTimeout().toNanos();
		quiet();
		this.state = "stopping";
		this.events.publish(new WorkerEvent.Stopping(this.report.process()));
		this.chores.execute(this::announceStop);
		int unfinished = 0;
		try {
			for (Manager manager : this.managers) {
				manager.awaitIdle(deadline);
			}
			unfinished = putBackUnfinished();
			this.managers.forEach(Manager::interrupt);
			long cleanUp = System.nanoTime() + CLEAN_UP.toNanos();
			for (Manager manager : this.managers) {
				manager.awaitIdle(cleanUp);
				manager.awaitFetched(cleanUp);
			}
			for (Manager manager : this.managers) {
				manager.awaitSettled(Duration.ofNanos(Math.max(cleanUp - System.nanoTime(), 1_000_000_000)));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.managers.forEach(Manager::interrupt);
			this.beats.shutdownNow();
			this.chores.shutdownNow();
			leave();
			this.hooks.stop();
			this.scheduler.shutdownNow();
			this.events.publish(new WorkerEvent.Stopped(this.report.process(), unfinished));
			this.events.close();
		}
		return unfinished;
	}

	/**
	 * From here on a death of this process is no crash of its jobs.
	 */
	private void announceStop() {
		try {
			this.memberships.announce(ProcessState.STOPPING);
		}
		catch (JobStoreException ex) {
			logger.debug("The queues hear with the next heartbeat that this process stops", ex);
		}
	}

	private int putBackUnfinished() {
		Map<String, List<UnitOfWork>> byName = new TreeMap<>();
		for (Manager manager : this.managers) {
			for (UnitOfWork work : manager.inWork()) {
				work.giveBack();
				byName.computeIfAbsent(work.queue() + " " + work.token().process(), (name) -> new ArrayList<>())
					.add(work);
			}
		}
		int unfinished = 0;
		for (List<UnitOfWork> works : byName.values()) {
			works.sort(Comparator.comparing((work) -> work.token().id()));
			unfinished += works.size();
			logger.warn("{} did not end within {} s and are put back, to run again elsewhere", works,
					this.settings.shutdownTimeout().toSeconds());
			Bounded.run("Putting jobs back", CLEAN_UP, () -> release(works));
		}
		return unfinished;
	}

	private void release(List<UnitOfWork> works) {
		List<JobToken> tokens = new ArrayList<>(works.size());
		for (UnitOfWork work : works) {
			if (work.token().isOnce() && work.hasBegun()) {
				this.burial.bury(work.token(), work.payload(),
						this.burial.mayHaveRun(work.token().process(), "was stopped"));
			}
			else {
				tokens.add(work.token());
			}
		}
		for (int from = 0; from < tokens.size(); from += WorkStore.SETTLED_AT_ONCE) {
			Waits.on(this.store
				.release(tokens.subList(from, Math.min(tokens.size(), from + WorkStore.SETTLED_AT_ONCE))));
		}
	}

	private void leave() {
		Bounded.run("Leaving the queues", CLEAN_UP, () -> {
			this.memberships.joined().forEach((queue, name) -> {
				long moved = this.reaper.leave(queue, name);
				if (moved > 0) {
					logger.warn("{} more jobs of queue {} were put back", moved, queue);
				}
			});
			this.report.remove();
		});
	}

	List<CapsuleStatus> capsules() {
		return this.managers.stream()
			.map((manager) -> new CapsuleStatus(manager.capsule().name(), manager.capsule().queueNames(),
					manager.capsule().concurrency(), manager.busy(), manager.watch().isStalled()))
			.toList();
	}

	Map<String, String> dataLosses() {
		return this.data.losses();
	}

	private static ThreadFactory daemon(String name) {
		return (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		};
	}

}
