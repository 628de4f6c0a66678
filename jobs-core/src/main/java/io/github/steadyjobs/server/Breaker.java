package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back jobs that are paused, and pauses those that fail too often or ask for it.
 * When such a pause ends, one job is tried: the process that runs it ends the pause or
 * begins a longer one.
 * <p>
 * Each process counts failures on its own, in memory: a pause must come soon when nothing
 * works, and then each process sees failures. Counting in Redis would cost one more call
 * per failure. Thread safe.
 */
final class Breaker {

	/** Pauses double up to this, unless they begin longer. */
	private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

	private static final Duration LONGEST_ASKED_FOR = Duration.ofDays(365);

	private static final Logger logger = LoggerFactory.getLogger(Breaker.class);

	private final PauseStore store;

	private final PauseWatch watch;

	private final JobRegistry registry;

	private final Map<Target, Failures> failures;

	private final String who;

	private final Clock clock;

	/**
	 * Create a breaker.
	 * @param registry knows jobs by all of their names
	 * @param limits when what fails is paused
	 * @param process the name of this process
	 */
	Breaker(PauseStore store, PauseWatch watch, JobRegistry registry, Map<Target, WorkerSettings.Breaker> limits,
			String process, Clock clock) {
		this.store = store;
		this.watch = watch;
		this.registry = registry;
		this.failures = limits.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (limit) -> new Failures(limit.getValue())));
		this.who = "breaker of " + process;
		this.clock = clock;
	}

	/**
	 * Return the outcome of a job that is paused although it was claimed: under a former
	 * name, in a payload of another form, in a queue that does not know the pause yet, or
	 * before the pause began.
	 * @return the outcome, or {@code null} if the job may run
	 */
	Outcome.@Nullable Parked hold(UnitOfWork job) {
		if (this.watch.isQuiet() || this.watch.isBehind()) {
			// The queue knew something newer when it handed out the job.
			return null;
		}
		Pause pause = this.watch.find(Target.job(Objects.requireNonNull(job.definition()).name()));
		if (pause == null) {
			pause = this.watch.find(Target.job(job.name()));
		}
		if (pause == null || pause.hasEndedAt(job.claimedAt())) {
			return null;
		}
		// If the pause is over, the queue hands out the job again at once.
		this.watch.doubt();
		return new Outcome.Parked(null, "paused:" + pause.target().name(), this.watch.version());
	}

	/**
	 * Make the pause that a job asks for.
	 * @return the outcome of the job
	 */
	Outcome pause(UnitOfWork job, PauseQueueException wish) {
		Duration asked = wish.pauseFrom(this.clock.instant());
		Duration length = (asked.compareTo(LONGEST_ASKED_FOR) > 0) ? LONGEST_ASKED_FOR : asked;
		Duration pause = (length.compareTo(Duration.ofMillis(1)) < 0) ? Duration.ofMillis(1) : length;
		Target target = targets(job).get(wish.isOfJobOnly() ? 0 : 1);
		String why = "Asked for by job " + job.id() + ": " + JobRetry.message(wish);
		this.watch.later(() -> pause(target,
				(standing) -> standing == null || standing.triesOne() && standing.hasEndedAt(job.claimedAt()),
				Order.byBreaker(pause, this.who, why)));
		logger.info("Job {} asks for a pause of {} and runs again after it: {}", job, target, wish.toString());
		return new Outcome.PutOff(pause);
	}

	/** Count the end of a run. */
	void ended(UnitOfWork job, Outcome outcome) {
		if (this.failures.isEmpty() && this.watch.isQuiet()) {
			return;
		}
		Throwable failure = failure(outcome);
		if (failure == null && !(outcome instanceof Outcome.Ended)) {
			// For example a released run, which says nothing.
			return;
		}
		for (Target target : targets(job)) {
			Pause pause = this.watch.find(target);
			Failures known = this.failures.get(target);
			if (this.watch.isBehind() || isTried(job, pause)) {
				this.watch.later(() -> judge(job, target, failure));
			}
			else if (failure != null && known != null && known.add(System.nanoTime())) {
				String why = "%d failures within %s, the last one: %s".formatted(known.limit.failures(),
						known.limit.within(), text(failure));
				this.watch.later(() -> pause(target, (standing) -> standing == null,
						Order.byBreaker(known.limit.pause(), this.who, why)));
			}
		}
	}

	private static @Nullable Throwable failure(Outcome outcome) {
		Throwable cause = (outcome instanceof Outcome.Failed failed) ? failed.failure().cause() : null;
		// That is a request and not a failure.
		return (cause instanceof DiscardJobException) ? null : cause;
	}

	/** Return the targets of a job: its name first, then its queue. */
	private List<Target> targets(UnitOfWork job) {
		JobDefinition definition = this.registry.find(job.name());
		return List.of(Target.job((definition != null) ? definition.name() : job.name()), Target.queue(job.queue()));
	}

	/** Return whether a job is the one tried at the end of a pause. */
	private static boolean isTried(UnitOfWork job, @Nullable Pause pause) {
		return pause != null && pause.triesOne() && pause.hasEndedAt(job.claimedAt());
	}

	private void judge(UnitOfWork job, Target target, @Nullable Throwable failure) {
		Pause pause = this.watch.find(target);
		if (pause == null || !isTried(job, pause)) {
			return;
		}
		Predicate<@Nullable Pause> same = (standing) -> standing != null && standing.version() == pause.version();
		if (failure == null) {
			PauseStore.Change change = this.store.change(target, same, null);
			this.watch.update(change.pauses());
			return;
		}
		Duration last = Duration.ofMillis(pause.until() - pause.since());
		Duration most = (last.compareTo(LONGEST_PAUSE) > 0) ? last : LONGEST_PAUSE;
		Duration twice = last.multipliedBy(2);
		pause(target, same, Order.byBreaker((twice.compareTo(most) > 0) ? most : twice, this.who,
				"The job that was tried failed too: " + text(failure)));
	}

	private void pause(Target target, Predicate<@Nullable Pause> allowed, Order order) {
		this.watch.update(this.store.change(target, allowed, order).pauses());
	}

	/**
	 * Return the name of a failure. Its message may quote secrets, and people who may not
	 * see jobs can see pauses.
	 */
	private static String text(Throwable failure) {
		return failure.getClass().getName();
	}

	/**
	 * The times of the last failures. Thread safe.
	 */
	private static final class Failures {

		private final WorkerSettings.Breaker limit;

		private final Deque<Long> times = new ArrayDeque<>();

		Failures(WorkerSettings.Breaker limit) {
			this.limit = limit;
		}

		/**
		 * Add a failure.
		 * @return whether there were too many lately; they are forgotten then
		 */
		synchronized boolean add(long now) {
			this.times.add(now);
			if (this.times.size() < this.limit.failures()
					|| now - this.times.remove() > this.limit.within().toNanos()) {
				return false;
			}
			this.times.clear();
			return true;
		}

	}

}
