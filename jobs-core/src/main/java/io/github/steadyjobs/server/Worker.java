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

	private final ScheduledExecutorService beats = Executors.newScheduledThreadPool(2, daemon("jobs-heartbeat"));

	private final List<Manager> managers = new ArrayList<>();

	private final ProcessReport report;

	private final Heartbeat heartbeat;

	private final QueueWatch watch;

	private volatile String state = "running";

	Worker(WorkStore store, QueueMonitor monitor, JobExecution execution, WorkerSettings settings) {
		this.store = store;
		this.settings = settings;
		ProcessName name = ProcessName.create();
		this.memberships = new Memberships(store, name.toString());
		JobRetry retry = new JobRetry(execution.retryDelay(), execution.codec(), Clock.systemUTC(), settings.retries(),
				settings.backtraceLines());
		LagOrder.Lags lags = (queues) -> monitor.sample(queues).stream().map(QueueSample::latency).toList();
		WorkerParts parts = new WorkerParts(store, execution, settings, retry, this.memberships, new Outage(),
				this.scheduler, lags, () -> this.state.equals("stopping"));
		settings.capsules().forEach((capsule) -> this.managers.add(new Manager(capsule, parts)));
		this.report = new ProcessReport(store.processRecord(name.toString()), name, this::capsules, () -> this.state,
				Clock.systemUTC());
		this.heartbeat = new Heartbeat(store, this.memberships, settings.beat(),
				List.copyOf(execution.registry().names()), this.report);
		Set<String> served = new HashSet<>();
		settings.capsules().forEach((capsule) -> served.addAll(capsule.queueNames()));
		this.watch = new QueueWatch(monitor, served);
	}

	void start(ThreadFactory threads) {
		this.managers.forEach((manager) -> manager.start(threads));
		this.heartbeat.start(this.beats);
		this.watch.start(this.beats);
	}

	void quiet() {
		if (this.state.equals("running")) {
			this.state = "quiet";
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
			leave();
			this.scheduler.shutdownNow();
		}
		return unfinished;
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
		for (int from = 0; from < works.size(); from += WorkStore.SETTLED_AT_ONCE) {
			List<UnitOfWork> batch = works.subList(from, Math.min(works.size(), from + WorkStore.SETTLED_AT_ONCE));
			this.store.release(batch.stream().map(UnitOfWork::token).toList()).join();
		}
	}

	private void leave() {
		Bounded.run("Leaving the queues", CLEAN_UP, () -> {
			this.memberships.joined().forEach((queue, name) -> {
				long moved = this.store.leave(queue, name);
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
					manager.capsule().concurrency(), manager.busy()))
			.toList();
	}

	private static ThreadFactory daemon(String name) {
		return (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		};
	}

}
