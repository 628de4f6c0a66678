package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.admin.RunCounts.Count;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the runs of this process by minute and name of the job, and adds the counts to
 * those in Redis about every ten seconds and when the workers have stopped. As a bean, it
 * is notified of runs and {@link WorkerEvent}s. Thread safe.
 * <p>
 * <strong>Problem:</strong> each run has to be counted, and a process may run 50,000 jobs
 * a second. <strong>Solution:</strong> a run only changes a few numbers in memory. The
 * cost for Redis depends on how many different jobs have run, not on how often they have
 * run.
 * <p>
 * Minutes are determined by the clock of this process. A run counts in the minute in
 * which it ended. If the process dies, the counts since the last flush are lost. Counts
 * whose flush got no answer are not sent again. So history may miss runs, but never
 * counts a run twice. While Redis is unavailable, counts are kept for an hour.
 */
public final class RunHistory implements JobListener, WorkerEvent.Listener {

	private static final Logger logger = LoggerFactory.getLogger(RunHistory.class);

	private static final long MILLIS_OF_MINUTE = 60_000;

	static final JobScript TALLY = JobScript.of(RunHistory.class, "tally");

	private static final int MOST_MINUTES = 60;

	private static final int FIELDS_AT_ONCE = 500;

	/**
	 * Less than two heartbeat intervals of 5 s, because heartbeats may be a little early.
	 */
	private static final Duration FLUSHED_EVERY = Duration.ofSeconds(8);

	/** Less than the 3 s that event listeners get when the workers stop. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final StoreCalls calls;

	private final Clock clock;

	private final NavigableMap<Long, Minute> minutes = new TreeMap<>();

	private volatile Minute current = new Minute(Long.MIN_VALUE);

	private volatile boolean failing;

	private long flushedAt = System.nanoTime();

	/**
	 * Create a history.
	 * @param clock the clock that determines the current minute
	 */
	public RunHistory(RedisConnections connections, String prefix, Clock clock) {
		this.calls = StoreCalls.inBackground(connections, prefix);
		this.clock = clock;
	}

	@Override
	public void started(JobContext job, Duration waited) {
		Counts counts = minute().of(job.name());
		counts.add(Count.BEGUN.index(), 1);
		counts.add(Count.WAITED.index(), waited.toNanos());
	}

	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		Count failure = switch (outcome) {
			case RETRY -> Count.RETRIED;
			case DEAD -> Count.DEAD;
			case DISCARDED -> Count.DISCARDED;
			default -> null;
		};
		if (failure == null && outcome != JobOutcome.DONE) {
			// The job did not run, or its run neither succeeded nor failed.
			return;
		}
		Counts counts = minute().of(job.name());
		long nanos = ran.toNanos();
		counts.add(RunCounts.classOf(nanos), 1);
		counts.add(Count.RAN.index(), nanos);
		if (failure != null) {
			counts.add(failure.index(), 1);
		}
	}

	private Minute minute() {
		long number = Math.floorDiv(this.clock.millis(), MILLIS_OF_MINUTE);
		Minute minute = this.current;
		return (minute.number == number) ? minute : turnTo(number);
	}

	private synchronized Minute turnTo(long number) {
		Minute minute = this.minutes.computeIfAbsent(number, Minute::new);
		if (this.minutes.size() > MOST_MINUTES) {
			this.minutes.pollFirstEntry();
		}
		this.current = minute;
		return minute;
	}

	/** Flush at regular intervals, and once at the end. */
	@Override
	public void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Beat && System.nanoTime() - this.flushedAt >= FLUSHED_EVERY.toNanos()) {
			flush();
		}
		else if (event instanceof WorkerEvent.Stopped) {
			flush().completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
		}
	}

	/**
	 * Add the runs since the last flush to the counts in Redis. Does not block. Failures
	 * are logged.
	 * @return a future that is completed when all calls were answered or have failed
	 */
	public CompletableFuture<Void> flush() {
		SortedMap<Instant, Map<String, RunCounts>> added = takeNew();
		if (added.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		return add(added).handle((answered, failure) -> {
			if (failure == null) {
				this.failing = false;
			}
			else if (!this.failing) {
				this.failing = true;
				logger.warn("Some of the history of jobs could not be written: {}", failure.getMessage());
			}
			return null;
		});
	}

	/**
	 * Add counts by minute and name of the job, all in one flush. A call is not repeated
	 * if its answer is lost, so that no run is counted twice.
	 */
	CompletableFuture<Void> add(SortedMap<Instant, Map<String, RunCounts>> added) {
		Map<String, Map<String, RunCounts>> periods = new LinkedHashMap<>();
		added.forEach((minute, names) -> names.forEach((name, counts) -> {
			LocalDateTime time = LocalDateTime.ofInstant(minute, ZoneOffset.UTC);
			String hour = JobHistory.HOUR.format(time);
			String day = time.toLocalDate().toString();
			add(counts, periods, hour + ":" + name, Integer.toString(time.getMinute()));
			add(counts, periods, hour + ":" + JobHistory.ALL, Integer.toString(time.getMinute()));
			add(counts, periods, hour, name);
			add(counts, periods, day, name);
			add(counts, periods, day.substring(0, 4), day.substring(5));
		}));
		List<ScriptCall> tallies = new ArrayList<>();
		periods.forEach((period, fields) -> tallies.addAll(tallies(period, fields)));
		return this.calls.sendOnce(tallies);
	}

	private static void add(RunCounts counts, Map<String, Map<String, RunCounts>> periods, String period,
			String field) {
		periods.computeIfAbsent(period, (absent) -> new TreeMap<>())
			.computeIfAbsent(field, (absent) -> new RunCounts())
			.add(counts);
	}

	private List<ScriptCall> tallies(String period, Map<String, RunCounts> fields) {
		List<ScriptCall> tallies = new ArrayList<>();
		List<String> names = List.copyOf(fields.keySet());
		for (int from = 0; from < names.size(); from += FIELDS_AT_ONCE) {
			ScriptCall call = ScriptCall.on(TALLY, this.calls.keys().history(period)).add(kept(period).toMillis());
			names.subList(from, Math.min(names.size(), from + FIELDS_AT_ONCE))
				.forEach((name) -> call.add(name.getBytes(StandardCharsets.UTF_8))
					.add(String.valueOf(fields.get(name))));
			tallies.add(call);
		}
		return tallies;
	}

	/** Return how long the counts of a period are kept after the latest addition. */
	private static Duration kept(String period) {
		return switch (period.length()) {
			case 4 -> JobHistory.TOTALS_KEPT.plusDays(366);
			case 10 -> JobHistory.DAYS_KEPT.plusDays(1);
			default -> JobHistory.MINUTES_KEPT.plusHours(1);
		};
	}

	private synchronized SortedMap<Instant, Map<String, RunCounts>> takeNew() {
		this.flushedAt = System.nanoTime();
		SortedMap<Instant, Map<String, RunCounts>> added = new TreeMap<>();
		this.minutes.forEach((number, minute) -> {
			Map<String, RunCounts> names = minute.takeNew();
			if (!names.isEmpty()) {
				added.put(Instant.ofEpochMilli(number * MILLIS_OF_MINUTE), names);
			}
		});
		// Keep the previous minute: a thread that was delayed may still add counts to it.
		this.minutes.headMap(Math.floorDiv(this.clock.millis(), MILLIS_OF_MINUTE) - 1).clear();
		return added;
	}

	/** The runs of one minute. */
	private static final class Minute {

		private final long number;

		private final Map<String, Counts> names = new ConcurrentHashMap<>();

		Minute(long number) {
			this.number = number;
		}

		Counts of(String name) {
			Counts counts = this.names.get(name);
			return (counts != null) ? counts : this.names.computeIfAbsent(name, (absent) -> new Counts());
		}

		Map<String, RunCounts> takeNew() {
			Map<String, RunCounts> taken = new HashMap<>();
			this.names.forEach((name, counts) -> {
				RunCounts some = counts.takeNew();
				if (!some.toString().isEmpty()) {
					taken.put(name, some);
				}
			});
			return taken;
		}

	}

	/**
	 * Counts that only grow, and the part of them that has already been taken. Times are
	 * in nanoseconds here, because each short run would add 0 milliseconds.
	 */
	private static final class Counts {

		private final AtomicLongArray values = new AtomicLongArray(RunCounts.SIZE);

		private final RunCounts taken = new RunCounts();

		void add(int index, long number) {
			this.values.getAndAdd(index, number);
		}

		RunCounts takeNew() {
			RunCounts some = new RunCounts();
			for (int i = 0; i < RunCounts.SIZE; i++) {
				boolean time = i == Count.RAN.index() || i == Count.WAITED.index();
				long value = this.values.get(i);
				long grown = (time ? TimeUnit.NANOSECONDS.toMillis(value) : value) - this.taken.get(i);
				some.add(i, grown);
			}
			this.taken.add(some);
			return some;
		}

	}

}
