package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.TickRunner.Due;
import io.github.steadyjobs.recurring.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles ticks, from the start of this process's workers to their stop.
 * <p>
 * Each process that can run a recurring job has a timer for it, and the script accepts
 * the first call. The others learn from its answer which tick is next. So there is no
 * leader, no process has to notice that another one is gone, and Redis is not polled
 * while no tick is due.
 */
final class Ticker {

	/** 10 seconds by default. */
	private static final int BEATS_TO_READ = 2;

	/** A minute by default. Without recurring jobs nothing else is done. */
	private static final int BEATS_TO_FORGET = 12;

	/** A random delay, so that not all processes prepare the jobs. */
	private static final Duration MOST_DELAY = Duration.ofMillis(20);

	/** Each heartbeat sets the timer again. */
	private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

	/**
	 * The number of queues that may have ticks at once, or be on nodes that do not
	 * answer.
	 */
	private static final int MOST_THREADS = 8;

	private static final int IDLE_SECONDS = 10;

	private static final Logger logger = LoggerFactory.getLogger(Ticker.class);

	private final String process;

	/** What this process declares. */
	private final String set;

	/** When its release was built, {@code null} if that is not known. */
	private final @Nullable Instant built;

	/** The names of the jobs that this process can run. */
	private final Collection<String> jobs;

	private final Reconciler reconciler;

	private final TickRunner runner;

	private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(MOST_THREADS, (task) -> {
		Thread thread = new Thread(task, "jobs-ticker");
		thread.setDaemon(true);
		return thread;
	});

	private @Nullable Declarations declarations;

	/** The next ticks of what this process can run, by name. */
	private final Map<String, Due> entries = new HashMap<>();

	/** Queues whose ticks are being handled. */
	private final Set<String> busy = new HashSet<>();

	private @Nullable ScheduledFuture<?> timer;

	/** What was logged about recurring jobs that several applications declare. */
	private final Set<String> shared = new HashSet<>();

	/** Processes that were silent at the last check. */
	private Set<String> forgotten = Set.of();

	private int beats;

	/** Whether to read everything again, because something failed or has changed. */
	private volatile boolean doubted;

	private boolean hasLeft;

	Ticker(String process, String set, @Nullable Instant built, Collection<String> jobs, Reconciler reconciler,
			TickRunner runner) {
		this.process = process;
		this.set = set;
		this.built = built;
		this.jobs = jobs;
		this.reconciler = reconciler;
		this.runner = runner;
		this.threads.setRemoveOnCancelPolicy(true);
		this.threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		this.threads.allowCoreThreadTimeOut(true);
	}

	/** Read the declarations again soon. */
	void doubt() {
		this.doubted = true;
		schedule(this::refresh, 0);
	}

	/** Do what is due with each heartbeat. */
	void beat() {
		schedule(this::round, 0);
	}

	/** Withdraw all declarations, but continue to handle ticks. */
	void leave() {
		schedule(this::depart, 0);
	}

	/**
	 * Leave ticks to others, and wait until everything has ended, for a second at most:
	 * only the process that handled a tick publishes its event.
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

	private @Nullable ScheduledFuture<?> schedule(Runnable task, long nanos) {
		try {
			return this.threads.schedule(() -> attempt(task), nanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Recurring jobs are left to others, because the workers stop");
			return null;
		}
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
		this.entries.clear();
		arm();
		depart();
	}

	private synchronized void depart() {
		if (!this.hasLeft && this.declarations != null) {
			this.reconciler.change(this.declarations, (present) -> present.leave(List.of(this.process)));
		}
		this.hasLeft = true;
	}

	private synchronized void round() {
		arm();
		this.beats++;
		Declarations known = this.declarations;
		boolean isUsed = known == null || !known.effective().isEmpty();
		if (this.doubted || this.beats % (isUsed ? BEATS_TO_READ : BEATS_TO_FORGET) == 0) {
			refresh();
		}
		if (known != null && isUsed && this.beats % BEATS_TO_FORGET == 0) {
			forgetDead(known);
		}
	}

	private synchronized void refresh() {
		Declarations read = this.reconciler.read();
		if (this.doubted || read != this.declarations) {
			this.doubted = false;
			takeUp((this.hasLeft || read.declares(this.process, this.set)) ? read
					: this.reconciler.change(read, (present) -> present.declare(this.process, this.set, this.built)));
		}
	}

	private void takeUp(Declarations declared) {
		take(declared);
		// Only now, because an old definition may have continued in another queue.
		Declarations rest = this.reconciler.forgetOld(declared);
		if (rest != declared) {
			take(rest);
		}
	}

	private void take(Declarations now) {
		now.shared(this.process).forEach((name, applications) -> {
			if (this.shared.add(name + applications)) {
				logger.warn(
						"Recurring job '{}' is declared by the applications {}, and only the definition of the newest release counts. Rename one of them, or give the applications different prefixes",
						name, applications);
			}
		});
		Map<String, State> states = this.reconciler.apply(now);
		this.entries.clear();
		for (Effective effective : now.effective().values()) {
			State state = states.get(effective.name());
			if (state == null || !state.digest().equals(effective.digest())) {
				this.doubted |= effective.pause() == null;
			}
			else if (state.next() != null && this.jobs.contains(effective.job().job())) {
				this.entries.put(effective.name(), new Due(effective, state.next()));
			}
		}
		this.declarations = now;
		arm();
	}

	private void forgetDead(Declarations known) {
		Set<String> forgotten = this.reconciler.forgotten(known);
		forgotten.remove(this.process);
		// Twice in a row, because a process that has just started is not known yet.
		Set<String> dead = new TreeSet<>(forgotten);
		dead.retainAll(this.forgotten);
		this.forgotten = forgotten;
		if (!dead.isEmpty()) {
			logger.info(
					"The recurring jobs that {} declare no longer count, because these processes have been silent for long",
					dead);
			takeUp(this.reconciler.change(known, (present) -> present.leave(dead)));
		}
	}

	private void arm() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
		Instant now = this.reconciler.now();
		this.timer = waiting().map((each) -> Duration.between(now, each.due()))
			.min(Duration::compareTo)
			.map((wait) -> (wait.compareTo(LONGEST_WAIT) < 0) ? wait : LONGEST_WAIT)
			.map((wait) -> schedule(this::run,
					Math.max(0, wait.toNanos()) + ThreadLocalRandom.current().nextLong(MOST_DELAY.toNanos())))
			.orElse(null);
	}

	private Stream<Due> waiting() {
		return this.entries.values().stream().filter((each) -> !this.busy.contains(each.effective().queue()));
	}

	private synchronized void run() {
		Instant now = this.reconciler.now();
		Map<String, List<Due>> due = waiting().filter((each) -> !each.due().isAfter(now))
			.collect(Collectors.groupingBy((each) -> each.effective().queue()));
		this.busy.addAll(due.keySet());
		due.forEach((queue,
				ticks) -> schedule(() -> this.runner.run(queue, ticks, now, (next) -> took(queue, ticks, next)), 0));
		arm();
	}

	/**
	 * Continue with the next ticks. The next heartbeat reads ticks again that were not
	 * handled.
	 */
	private synchronized void took(String queue, List<Due> ticks, Map<String, @Nullable Instant> answers) {
		this.busy.remove(queue);
		for (Due tick : ticks) {
			String name = tick.effective().name();
			Instant next = answers.get(name);
			this.doubted |= !answers.containsKey(name);
			// Unless another definition has replaced it by now.
			if (this.entries.remove(name, tick) && next != null) {
				this.entries.put(name, new Due(tick.effective(), next));
			}
		}
		arm();
	}

}
