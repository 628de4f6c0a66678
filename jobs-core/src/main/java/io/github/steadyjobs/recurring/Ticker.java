package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.TickRunner.Due;
import io.github.steadyjobs.recurring.TickRunner.Outcome;
import io.github.steadyjobs.recurring.TickRunner.Result;
import io.github.steadyjobs.redis.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles ticks, from the start of this process's workers to their stop.
 * <p>
 * Each process that can run a recurring job has a timer for it, and the script takes the
 * first that comes. The others learn from its answer which tick is next. So nobody leads,
 * nobody has to notice that another process is gone, and nothing is asked while no tick
 * is due.
 */
final class Ticker {

	/** 10 seconds by default. */
	private static final int BEATS_TO_READ = 2;

	/** A minute by default. Without recurring jobs that is all that is done. */
	private static final int BEATS_TO_FORGET = 12;

	/** Processes that come at different times do not all prepare the jobs. */
	private static final Duration MOST_DELAY = Duration.ofMillis(20);

	/** With each heartbeat the timer is set anew. */
	private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(Ticker.class);

	private final String process;

	private final String set;

	private final @Nullable Instant built;

	private final JobRegistry registry;

	private final Reconciler reconciler;

	private final TickRunner runner;

	private final TickThreads threads;

	private @Nullable Declarations declarations;

	private Map<String, Entry> entries = new HashMap<>();

	/** Queues whose ticks are being handled. */
	private final Set<String> busy = new HashSet<>();

	private @Nullable ScheduledFuture<?> timer;

	/** What was logged of recurring jobs that several applications declare. */
	private final Set<String> shared = new HashSet<>();

	/** Processes that nobody had heard of when that was asked last. */
	private Set<String> forgotten = Set.of();

	private int beats;

	/** Whether to read everything anew, because something failed or has changed. */
	private volatile boolean doubted;

	private boolean hasLeft;

	/**
	 * Create a ticker.
	 * @param process the name of this process
	 * @param set what it declares
	 * @param built when its release was built, {@code null} if that is not known
	 * @param runner handles the ticks of a queue
	 */
	Ticker(String process, String set, @Nullable Instant built, JobRegistry registry, Reconciler reconciler,
			TickRunner runner) {
		this.process = process;
		this.set = set;
		this.built = built;
		this.registry = registry;
		this.reconciler = reconciler;
		this.runner = runner;
		this.threads = new TickThreads(() -> this.doubted = true, runner::unexpected);
	}

	/**
	 * Read soon what is declared.
	 */
	void doubt() {
		this.doubted = true;
		this.threads.execute(this::refresh);
	}

	/**
	 * Do what has to be done as often as heartbeats.
	 */
	void beat() {
		this.threads.execute(this::round);
	}

	/**
	 * Declare nothing any more, and go on with ticks.
	 */
	void leave() {
		this.threads.execute(this::depart);
	}

	/**
	 * Leave ticks to others, and wait until everything has ended, for a second at most.
	 */
	void close() {
		this.threads.execute(this::end);
		this.threads.close();
	}

	private synchronized void end() {
		this.entries = new HashMap<>();
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
		this.entries.replaceAll((name, entry) -> new Entry(entry.effective(), entry.next(), false));
		arm();
		if (this.hasLeft) {
			return;
		}
		this.beats++;
		boolean isUsed = this.declarations == null || !this.declarations.isEmpty();
		if (this.doubted || this.beats % (isUsed ? BEATS_TO_READ : BEATS_TO_FORGET) == 0) {
			refresh();
		}
		if (isUsed && this.beats % BEATS_TO_FORGET == 0) {
			forgetDead();
		}
	}

	private synchronized void refresh() {
		if (this.hasLeft) {
			return;
		}
		Declarations before = this.declarations;
		Declarations read = this.reconciler.read((before != null && !this.doubted) ? before.version() : "");
		this.doubted = false;
		if (read != null) {
			takeUp(read.declares(this.process, this.set) ? read
					: this.reconciler.change(read, (present) -> present.declare(this.process, this.set, this.built)));
		}
	}

	private void takeUp(Declarations declared) {
		take(declared);
		// Then, because something that is old may have gone on in another queue.
		Declarations rest = this.reconciler.forgetOld(declared);
		if (rest != declared) {
			take(rest);
		}
	}

	private void take(Declarations now) {
		now.shared(this.process).forEach((name, applications) -> {
			if (this.shared.add(name + applications)) {
				logger.warn(
						"Recurring job '{}' is declared by the applications {}, and only the definition that came "
								+ "last counts. Give one of them another name, or both different prefixes",
						name, applications);
			}
		});
		Map<String, State> states = this.reconciler.apply(now);
		boolean isComplete = true;
		Map<String, Entry> all = new HashMap<>();
		for (Effective effective : now.effective().values()) {
			JobDefinition definition = this.registry.find(effective.job().job());
			State state = states.get(effective.job().name());
			if (state == null || !state.digest().equals(effective.digest())) {
				isComplete &= effective.pause() != null;
			}
			else if (definition != null && RecurringReader.canRecur(definition)) {
				all.put(effective.job().name(), new Entry(effective, state.next(), false));
			}
		}
		this.entries = all;
		this.declarations = now;
		this.doubted = !isComplete;
		arm();
	}

	private void forgetDead() {
		Declarations known = this.declarations;
		if (known == null) {
			return;
		}
		Set<String> forgotten = this.reconciler.forgotten(known);
		forgotten.remove(this.process);
		// Twice in a row: one that has just started has not told of itself yet.
		Set<String> dead = new TreeSet<>(forgotten);
		dead.retainAll(this.forgotten);
		this.forgotten = forgotten;
		if (!dead.isEmpty()) {
			logger.info("What {} declare no longer counts, as nobody has heard of them for long", dead);
			takeUp(this.reconciler.change(known, (present) -> present.leave(dead)));
		}
	}

	private void arm() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
		Instant now = this.runner.time().now();
		this.timer = waiting().map(Entry::due)
			.filter(Objects::nonNull)
			.min(Instant::compareTo)
			.map((due) -> Duration.between(now, due))
			.map((wait) -> (wait.compareTo(LONGEST_WAIT) < 0) ? wait : LONGEST_WAIT)
			.map((wait) -> this.threads.schedule(this::run,
					Math.max(0, wait.toNanos()) + ThreadLocalRandom.current().nextLong(MOST_DELAY.toNanos())))
			.orElse(null);
	}

	private Stream<Entry> waiting() {
		return this.entries.values()
			.stream()
			.filter((entry) -> !entry.hasFailed() && !this.busy.contains(entry.effective().job().queue()));
	}

	private synchronized void run() {
		Instant now = this.runner.time().now();
		Map<String, List<Due>> due = waiting().filter((entry) -> entry.isDue(now))
			.map((entry) -> new Due(entry.effective(), Objects.requireNonNull(entry.next())))
			.collect(Collectors.groupingBy((each) -> each.effective().job().queue()));
		this.busy.addAll(due.keySet());
		due.forEach((queue, ticks) -> this.threads
			.execute(() -> this.runner.run(queue, ticks, now, (results) -> took(queue, results))));
		arm();
	}

	private synchronized void took(String queue, List<Result> results) {
		this.busy.remove(queue);
		results.forEach((result) -> {
			String name = result.effective().job().name();
			Entry entry = this.entries.get(name);
			if (entry == null || !entry.effective().digest().equals(result.effective().digest())) {
				// Another definition stands for it by now.
				return;
			}
			this.doubted |= result.outcome() == Outcome.CHANGED;
			this.entries.put(name, new Entry(entry.effective(), result.next(), result.outcome() != Outcome.HANDLED));
		});
		arm();
	}

	/**
	 * A recurring job that this process can run.
	 *
	 * @param next the earliest tick that nobody has handled, as far as is known
	 * @param hasFailed whether it is left for the next heartbeat
	 */
	private record Entry(Effective effective, @Nullable Instant next, boolean hasFailed) {

		@Nullable Instant due() {
			RecurringJob job = this.effective.job();
			return (this.next != null) ? job.schedule().moved(job.name(), this.next) : null;
		}

		boolean isDue(Instant now) {
			Instant due = due();
			return due != null && !due.isAfter(now);
		}

	}

}
