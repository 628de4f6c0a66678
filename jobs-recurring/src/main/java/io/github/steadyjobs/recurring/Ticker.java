package io.github.steadyjobs.recurring;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles ticks while the workers of this process run.
 * <p>
 * Each process that can run a recurring job sets a timer for the next tick of that job.
 * When the timer fires, the process calls a script. The script accepts only the first
 * call for a tick, and tells the other processes which tick is next. So no leader is
 * needed, no process has to notice that another process is gone, and no process polls
 * Redis for ticks.
 */
final class Ticker {

	/**
	 * The number of heartbeats between two readings of the declarations. By default,
	 * these heartbeats take 10 seconds.
	 */
	private static final int BEATS_TO_READ = 2;

	/**
	 * The number of heartbeats between two checks for dead processes. By default, these
	 * heartbeats take a minute. Without recurring jobs, the declarations are also read
	 * only this often.
	 */
	private static final int BEATS_TO_FORGET = 12;

	/**
	 * Maximum random delay of the timer in ms. Because of the delay, the processes do not
	 * all call Redis at the same moment.
	 */
	private static final long MOST_DELAY = 20;

	/**
	 * Maximum number of threads. If this many queues are on nodes that do not answer, all
	 * other queues have to wait.
	 */
	private static final int MOST_THREADS = 8;

	private static final Logger logger = LoggerFactory.getLogger(Ticker.class);

	private final String process;

	/** The declarations of this process. */
	private final DeclaredSet set;

	private final Reconciler reconciler;

	private final TickRunner runner;

	private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(MOST_THREADS, (task) -> {
		Thread thread = new Thread(task, "jobs-ticker");
		thread.setDaemon(true);
		return thread;
	});

	private Declarations declarations = Declarations.NONE;

	/** The next tick of each recurring job that this process can run. */
	private final Map<Effective, Instant> next = new HashMap<>();

	/** The queues whose ticks are being handled. */
	private final Set<String> busy = new HashSet<>();

	private @Nullable ScheduledFuture<?> timer;

	/**
	 * Warnings that have been logged about a name that several applications declare. Each
	 * entry consists of the name and these applications.
	 */
	private final Set<String> shared = new HashSet<>();

	/** The processes that were silent at the last check. */
	private Set<String> silent = Set.of();

	private int beats;

	/** Whether to read all next ticks again, even if the declarations are the same. */
	private volatile boolean doubted;

	private boolean hasLeft;

	Ticker(String process, DeclaredSet set, Reconciler reconciler, TickRunner runner) {
		this.process = process;
		this.set = set;
		this.reconciler = reconciler;
		this.runner = runner;
		this.threads.setRemoveOnCancelPolicy(true);
		// After the shutdown, tasks are discarded: other processes handle the ticks.
		this.threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
		this.threads.setKeepAliveTime(10, TimeUnit.SECONDS);
		this.threads.allowCoreThreadTimeOut(true);
	}

	/** Read the declarations and all next ticks again soon. */
	void doubt() {
		this.doubted = true;
		schedule(this::refresh, 0);
	}

	void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Beat) {
			schedule(this::round, 0);
		}
		else if (event instanceof WorkerEvent.Quieted || event instanceof WorkerEvent.Stopping) {
			schedule(this::depart, 0);
		}
		else if (event instanceof WorkerEvent.DataLost) {
			doubt();
		}
	}

	/**
	 * Stop handling ticks. Waits up to a second for the events of handled ticks to be
	 * published, because no other process publishes them.
	 */
	void close() {
		schedule(this::end, 0);
		this.threads.shutdown();
		try {
			this.threads.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.shutdownNow();
	}

	private ScheduledFuture<?> schedule(Runnable task, long millis) {
		return this.threads.schedule(() -> attempt(task), millis, TimeUnit.MILLISECONDS);
	}

	private void attempt(Runnable task) {
		try {
			task.run();
		}
		catch (JobStoreException ex) {
			this.doubted = true;
			logger.debug("Recurring jobs are left for the next heartbeat", ex);
		}
		catch (Throwable ex) {
			this.doubted = true;
			logger.error("Recurring jobs cannot be handled, trying again with the next heartbeat", ex);
			this.runner.unexpected(ex);
		}
	}

	private synchronized void end() {
		this.next.clear();
		arm();
		depart();
	}

	/** Withdraw the declarations of this process, but continue to handle ticks. */
	private synchronized void depart() {
		if (!this.hasLeft) {
			this.reconciler.change(this.reconciler.read(), (present) -> present.leave(List.of(this.process)));
		}
		this.hasLeft = true;
	}

	private synchronized void round() {
		arm();
		this.beats++;
		boolean isUsed = !this.declarations.effective().isEmpty();
		if (this.doubted || this.beats % (isUsed ? BEATS_TO_READ : BEATS_TO_FORGET) == 0) {
			refresh();
		}
		if (isUsed && this.beats % BEATS_TO_FORGET == 0) {
			forgetDead();
		}
	}

	private synchronized void refresh() {
		Declarations read = this.reconciler.read();
		if (this.doubted || read != this.declarations) {
			this.doubted = false;
			take(this.hasLeft ? read
					: this.reconciler.change(read, (present) -> present.declare(this.process, this.set)));
		}
	}

	private void take(Declarations now) {
		for (RecurringJob job : this.set.recurring()) {
			Set<String> applications = now.applications(job.name());
			if (applications.size() > 1 && this.shared.add(job.name() + applications)) {
				logger.warn(
						"Recurring job '{}' is declared by the applications {}, and only the definition of the newest release counts. Rename one of them, or give the applications different prefixes",
						job.name(), applications);
			}
		}
		Map<Effective, State> states = this.reconciler.apply(now);
		this.next.clear();
		states.forEach((effective, state) -> {
			if (!state.digest().equals(effective.digest())) {
				this.doubted |= effective.pause() == null;
			}
			else if (state.next() != null && this.set.canRun(effective.job().job())) {
				this.next.put(effective, state.next());
			}
		});
		this.declarations = now;
		arm();
		// Old sets are removed only now that the queues are up to date: until then, the
		// sets show which queues may still use an old definition.
		Declarations after = this.reconciler.change(now, (present) -> present.forgetOld(now));
		if (after != now) {
			now.gone(after)
				.forEach((name) -> logger.info("Recurring job '{}' is gone, because no process declares it now", name));
		}
	}

	private void forgetDead() {
		Set<String> silent = this.reconciler.forgotten(this.declarations);
		silent.remove(this.process);
		// A process must be silent twice in a row, because a process that has just
		// started is not known yet.
		List<String> dead = silent.stream().filter(this.silent::contains).sorted().toList();
		this.silent = silent;
		if (!dead.isEmpty()) {
			logger.info(
					"The recurring jobs declared by {} no longer count, because these processes have been silent for too long",
					dead);
			take(this.reconciler.change(this.declarations, (present) -> present.leave(dead)));
		}
	}

	private void arm() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
		Instant now = this.reconciler.store().now();
		// The wait is rounded up, because a tick must not run early.
		this.timer = waiting().map((each) -> now.until(due(each), ChronoUnit.MILLIS) + 1)
			.min(Comparator.naturalOrder())
			.map((wait) -> schedule(this::run, Math.max(0, wait) + ThreadLocalRandom.current().nextLong(MOST_DELAY)))
			.orElse(null);
	}

	private Stream<Map.Entry<Effective, Instant>> waiting() {
		return this.next.entrySet().stream().filter((each) -> !this.busy.contains(each.getKey().queue()));
	}

	private static Instant due(Map.Entry<Effective, Instant> next) {
		return next.getKey().job().moved(next.getValue());
	}

	private synchronized void run() {
		Instant now = this.reconciler.store().now();
		Map<String, Map<Effective, Instant>> due = waiting().filter((each) -> !due(each).isAfter(now))
			.collect(Collectors.groupingBy((each) -> each.getKey().queue(),
					Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
		this.busy.addAll(due.keySet());
		due.forEach((queue, ticks) -> schedule(
				() -> this.runner.run(queue, ticks, now, (following) -> took(queue, ticks, following)), 0));
		arm();
	}

	/**
	 * Continue with later ticks. Unhandled ticks are read again at the next heartbeat.
	 */
	private synchronized void took(String queue, Map<Effective, Instant> ticks,
			Map<Effective, @Nullable Instant> following) {
		this.busy.remove(queue);
		ticks.forEach((each, tick) -> {
			this.doubted |= !following.containsKey(each);
			// If the recurring job has been read again in the meantime, its newer tick is
			// kept.
			if (this.next.remove(each, tick) && following.get(each) != null) {
				this.next.put(each, following.get(each));
			}
		});
		arm();
	}

}
