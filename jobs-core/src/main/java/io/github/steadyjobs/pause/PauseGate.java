package io.github.steadyjobs.pause;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.FailureText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Holds back jobs that are paused. Also pauses a job or a queue when runs fail too often
 * or when a run asks for a pause. When such a pause ends, one job is tried. If this trial
 * job succeeds, the process that ran the job ends the pause; if the trial job fails, that
 * process begins another pause, usually a longer one.
 * <p>
 * Each process counts failures on its own, in memory. A pause must begin quickly when
 * nothing works, and in that case every process sees failures. Counting in Redis would
 * cost another call per failure. Thread safe.
 */
public final class PauseGate implements Gate {

	/** Consecutive pauses double up to this length, unless the first pause is longer. */
	private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

	private static final Logger logger = LoggerFactory.getLogger(PauseGate.class);

	private final PauseStore store;

	private final PauseWatch watch;

	private final JobRegistry registry;

	private final Map<Target, Failures> failures;

	private final String who;

	/**
	 * Create the gate of a worker.
	 * @param registry finds jobs by their current and former names
	 * @param limits when to pause a job or a queue whose jobs fail
	 */
	public PauseGate(PauseStore store, JobRegistry registry, Map<Target, Limit> limits, Worker worker) {
		this.store = store;
		this.watch = new PauseWatch(store, worker);
		this.registry = registry;
		this.failures = limits.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (limit) -> new Failures(limit.getValue())));
		this.who = "breaker of " + worker.process();
	}

	/**
	 * Hold back a job that was claimed although it is paused. This happens if the job has
	 * a former name, if its payload has an unusual form, if its queue does not know the
	 * pause yet, or if the job was claimed before the pause began.
	 */
	@Override
	public @Nullable Hold holdsBack(Candidate job) {
		if (this.watch.isQuiet() || this.watch.isOutdated()) {
			// Either nothing is paused, or the queue may know newer pauses than this
			// process. A queue that does would hand out the job again at once.
			return null;
		}
		Pause pause = this.watch.find(ofName(job));
		if (pause == null) {
			pause = this.watch.find(Target.job(job.name()));
		}
		return (pause == null || pause.hasEndedAt(job.claimedAt())) ? null
				: new Hold("paused:" + pause.target().name(), this.watch.version());
	}

	/** Begin the pause that a job asks for. */
	@Override
	public @Nullable Duration putsOff(Candidate job, Throwable thrown) {
		if (!(thrown instanceof PauseQueueException wish)) {
			return null;
		}
		Duration pause = wish.pauseFrom(Instant.now());
		Target target = targets(job).get(wish.isOfJobOnly() ? 0 : 1);
		String why = "Asked for by job " + job.id() + ": " + FailureText.message(wish);
		this.watch.later(() -> pause(target,
				(standing) -> standing == null || standing.triesOne() && standing.hasEndedAt(job.claimedAt()),
				Order.byBreaker(pause, this.who, why)));
		logger.info("Job {} asks for a pause of {} and runs again after it: {}", job, target, wish.toString());
		return pause;
	}

	/** Count the failure of a run, or judge the result of a trial job. */
	@Override
	public void ran(Candidate job, JobOutcome outcome, @Nullable Throwable failure) {
		if (this.failures.isEmpty() && this.watch.isQuiet()) {
			return;
		}
		if (failure == null && outcome != JobOutcome.DONE && outcome != JobOutcome.SKIPPED) {
			// For example, a released run says nothing about whether jobs fail.
			notBegun(job);
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

	/** Try another job if this job was to be the trial. */
	@Override
	public void notBegun(Candidate job) {
		if (this.watch.isQuiet()) {
			return;
		}
		for (Target target : targets(job)) {
			if (this.watch.isBehind() || isTried(job, this.watch.find(target))) {
				this.watch.later(() -> tryAnother(job, target));
			}
		}
	}

	/** Return the targets of a job: its name first, then its queue. */
	private List<Target> targets(Candidate job) {
		return List.of(ofName(job), Target.queue(job.queue()));
	}

	private Target ofName(Candidate job) {
		JobDefinition definition = this.registry.find(job.name());
		return Target.job((definition != null) ? definition.name() : job.name());
	}

	@Override
	public void answered(String queue, long parked, long version) {
		this.watch.answered(queue, parked, version);
	}

	@Override
	public void heard(long version) {
		this.watch.heard(version);
	}

	@Override
	public void round() {
		this.watch.round();
	}

	/** Return whether a job is the trial job at the end of a pause. */
	private static boolean isTried(Candidate job, @Nullable Pause pause) {
		return pause != null && pause.triesOne() && pause.hasEndedAt(job.claimedAt());
	}

	/** Repeat the end of a pause, so that each queue takes another job as its trial. */
	private void tryAnother(Candidate job, Target target) {
		Pause pause = this.watch.find(target);
		if (pause != null && isTried(job, pause)) {
			pause(target, same(pause), Order.endOf(pause));
			this.watch.look(target);
		}
	}

	private static Predicate<@Nullable Pause> same(Pause pause) {
		return (standing) -> standing != null && standing.version() == pause.version();
	}

	private void judge(Candidate job, Target target, @Nullable Throwable failure) {
		Pause pause = this.watch.find(target);
		if (pause == null || !isTried(job, pause)) {
			return;
		}
		Predicate<@Nullable Pause> same = same(pause);
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
	 * Return the class name of a failure. The message of the failure might quote secrets,
	 * and pauses are visible even to people who may not see jobs.
	 */
	private static String text(Throwable failure) {
		return failure.getClass().getName();
	}

	/**
	 * The number of failures within a period at which a job or a queue is paused.
	 *
	 * @param failures the number of failures in one process at which a pause begins
	 * @param within the period within which these failures must occur
	 * @param pause the length of the first pause; each consecutive pause is twice as
	 * long, up to an hour
	 */
	public record Limit(int failures, Duration within, Duration pause) {

		/** The maximum number of failures that are remembered. */
		public static final int MOST_FAILURES = 10_000;

		public Limit {
			Assert.isTrue(failures >= 1 && failures <= MOST_FAILURES,
					() -> "'failures' must be 1 to " + MOST_FAILURES + ", but is " + failures);
			Assert.isTrue(within.toMillis() > 0, () -> "'within' must be positive, but is " + within);
			Assert.isTrue(pause.toMillis() > 0, () -> "'pause' must be positive, but is " + pause);
		}

	}

	/** The times of the last failures. Thread safe. */
	private static final class Failures {

		private final Limit limit;

		private final Deque<Long> times = new ArrayDeque<>();

		Failures(Limit limit) {
			this.limit = limit;
		}

		/**
		 * Add a failure.
		 * @return whether there were too many recent failures; if so, all failures are
		 * forgotten
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
