package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.TickStore;
import io.github.steadyjobs.redis.TickStore.Seen;
import io.github.steadyjobs.redis.TickStore.Status;
import io.github.steadyjobs.redis.TickStore.Tick;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to single ticks: decides by the policies of a recurring job, and has Redis store
 * its job and go on to the next tick in one step. Uses threads of its own, as many ticks
 * may be due at once. Thread safe.
 */
final class TickRunner {

	/** Together they keep a connection busy. */
	private static final int MOST_THREADS = 8;

	private static final int IDLE_SECONDS = 10;

	private static final int ID_DIGITS = 12;

	private static final Logger logger = LoggerFactory.getLogger(TickRunner.class);

	private final PreparingJobClient client;

	private final JobRegistry registry;

	private final TickStore store;

	private final Duration lateAfter;

	private final List<RecurringTick.Listener> listeners;

	private final Consumer<Throwable> unexpected;

	private final RedisTime time = new RedisTime();

	private final ThreadPoolExecutor threads;

	/**
	 * Create a runner.
	 * @param lateAfter from when on the latest tick is missed
	 * @param listeners hear what became of each tick, one after the other
	 * @param unexpected gets failures that have nothing to do with Redis being away
	 */
	TickRunner(PreparingJobClient client, JobRegistry registry, TickStore store, Duration lateAfter,
			List<RecurringTick.Listener> listeners, Consumer<Throwable> unexpected) {
		this.client = client;
		this.registry = registry;
		this.store = store;
		this.lateAfter = lateAfter;
		this.listeners = listeners;
		this.unexpected = unexpected;
		this.threads = new ThreadPoolExecutor(MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = new Thread(task, "jobs-ticks");
					thread.setDaemon(true);
					return thread;
				});
		this.threads.allowCoreThreadTimeOut(true);
	}

	RedisTime time() {
		return this.time;
	}

	/**
	 * Wait for ticks that are being seen to, for a second at most: only who has seen to
	 * one tells of it.
	 */
	void close() {
		this.threads.shutdown();
		try {
			this.threads.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.shutdownNow();
	}

	/**
	 * See to a tick, and to those after it that are due.
	 * @param next the earliest tick that nobody has seen to
	 * @param then takes what comes of it
	 */
	void see(Effective effective, Instant next, Consumer<Result> then) {
		try {
			this.threads.execute(() -> then.accept(attempt(effective, next)));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("A tick of '{}' is left to others, because the workers stop", effective.job().name());
		}
	}

	private Result attempt(Effective effective, Instant next) {
		try {
			return see(effective, next);
		}
		catch (JobStoreException ex) {
			logger.debug("A tick of '{}' is seen to with the next heartbeat", effective.job().name(), ex);
		}
		catch (Throwable ex) {
			logger.error("The tick of '{}' at {} could not be seen to, trying again with the next heartbeat",
					effective.job().name(), next, ex);
			this.unexpected.accept(ex);
		}
		return new Result(next, Outcome.FAILED);
	}

	private Result see(Effective effective, Instant next) {
		RecurringJob job = effective.job();
		Instant now = this.time.now();
		if (job.schedule().moved(job.name(), next).isAfter(now)) {
			return new Result(next, Outcome.SEEN);
		}
		TickPlan plan = TickPlan.of(job, next, now, this.lateAfter);
		Instant first = next;
		List<Instant> runs = plan.runs();
		for (int i = 0; i < Math.max(1, runs.size()); i++) {
			Instant last = runs.isEmpty() ? plan.skipped().get(plan.skipped().size() - 1) : runs.get(i);
			boolean isLast = i + 1 >= runs.size();
			Instant following = isLast ? plan.next() : runs.get(i + 1);
			Decision decision = runs.isEmpty() ? Decision.SKIPPED
					: (plan.missed() || !isLast) ? Decision.MADE_UP : Decision.ENQUEUED;
			Tick tick = new Tick(job.name(), effective.digest(), first, last, job.schedule().moved(job.name(), last),
					following, decision.letter());
			Attempt attempt = runs.isEmpty() ? skip(job, tick) : enqueue(effective, tick);
			Seen seen = attempt.seen();
			if (seen.status() != Status.DONE) {
				return new Result(seen.next(), switch (seen.status()) {
					case CHANGED -> Outcome.CHANGED;
					case GONE -> Outcome.GONE;
					default -> Outcome.SEEN;
				});
			}
			if (i == 0) {
				tellOfSkipped(job, plan, first, seen.now());
			}
			if (!runs.isEmpty()) {
				tell(attempt);
			}
			first = isLast ? first : runs.get(i + 1);
		}
		return new Result(plan.next(), Outcome.SEEN);
	}

	private Attempt skip(RecurringJob job, Tick tick) {
		return new Attempt(tick, told(this.store.tick(job.queue(), tick, null)));
	}

	private Attempt enqueue(Effective effective, Tick tick) {
		RecurringJob job = effective.job();
		JobRequest request = job.request(RecurringReader.isIdempotent(this.registry.find(job.job())))
			.meta(RecurringJob.META_DUE, tick.due().toString());
		AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
		EnqueueResult result = this.client.enqueue(request, id(job.name(), tick.last()), (queue, stored) -> {
			if (!queue.equals(job.queue())) {
				throw new IllegalStateException(
						"An interceptor has sent a job of the recurring job '%s' from queue '%s' to queue '%s'. It has to stay where its ticks are. Set the queue on the job, or under 'steadyjobs.jobs'."
							.formatted(job.name(), job.queue(), queue));
			}
			Seen answer = told(this.store.tick(queue, tick, stored));
			seen.set(answer);
			return (answer.admission() != null) ? new JobStore.Taken(answer.admission(), Durability.STORED) : null;
		});
		Seen answered = seen.get();
		if (answered != null) {
			return new Attempt(tick, answered);
		}
		logger.info("An interceptor has stopped the tick of '{}' at {} ({})", job.name(), tick.due(), result);
		return skip(job, new Tick(tick.name(), tick.digest(), tick.first(), tick.last(), tick.due(), tick.next(),
				Decision.SKIPPED.letter()));
	}

	private Seen told(Seen seen) {
		if (seen.status() == Status.EARLY) {
			this.time.correct(seen.now());
		}
		else {
			this.time.set(seen.now());
		}
		return seen;
	}

	/**
	 * Return the id of the job of a tick: its time, and a digest of name and time.
	 */
	static String id(String name, Instant due) {
		long millis = due.toEpochMilli();
		return HexFormat.of().toHexDigits(millis, ID_DIGITS) + Digest.hex(name + " " + millis);
	}

	private void tell(Attempt attempt) {
		Tick tick = attempt.tick();
		Admission admission = Objects.requireNonNull(attempt.seen().admission());
		Decision decision = switch (admission.kind()) {
			case DUPLICATE -> Decision.OVERLAPPED;
			case RUNS_ONCE_MORE -> Decision.QUEUED;
			default -> Decision.of(tick.letter());
		};
		String id = admission.isStored() ? id(tick.name(), tick.last()) : admission.holder();
		tell(new RecurringTick(tick.name(), tick.due(), attempt.seen().now(), decision,
				(decision != Decision.SKIPPED) ? id : null, 1));
	}

	private void tellOfSkipped(RecurringJob job, TickPlan plan, Instant first, Instant now) {
		if (plan.more() > 0) {
			tell(new RecurringTick(job.name(), first, now, Decision.SKIPPED, null, plan.more()));
		}
		plan.skipped()
			.forEach((due) -> tell(new RecurringTick(job.name(), job.schedule().moved(job.name(), due), now,
					Decision.SKIPPED, null, 1)));
	}

	/**
	 * Pass on a failure that has nothing to do with Redis being away.
	 */
	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

	private void tell(RecurringTick tick) {
		for (RecurringTick.Listener listener : this.listeners) {
			try {
				listener.told(tick);
			}
			catch (Throwable ex) {
				// Errors too: the next tick has to come.
				logger.warn("A listener failed on {}", tick, ex);
			}
		}
	}

	/**
	 * What came of a tick.
	 *
	 * @param next the next one, or {@code null}
	 * @param outcome whether to go on with it
	 */
	record Result(@Nullable Instant next, Outcome outcome) {

	}

	/**
	 * Whether to go on.
	 */
	enum Outcome {

		/** The tick was seen to, or it is too early. */
		SEEN,

		/** Another process has seen to it. */
		GONE,

		/** Another definition is in force. */
		CHANGED,

		/** It is to be tried again, and not at once. */
		FAILED

	}

	private record Attempt(Tick tick, Seen seen) {

	}

}
