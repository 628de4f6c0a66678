package io.github.steadyjobs.benchmarks;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;
import io.github.steadyjobs.server.ClaimTimes;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records when the tasks of this process began and ended. All times are in microseconds.
 * Thread-safe, but {@link #take()} must be called only while no task is running.
 */
final class TaskTimes {

	/**
	 * The shortest wait that is recorded individually, because shorter waits are
	 * insignificant and too numerous.
	 */
	private static final long LONG_WAIT = 10_000;

	private final LongAdder begun = new LongAdder();

	private final LongAdder ended = new LongAdder();

	private final LongAdder worked = new LongAdder();

	private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);

	private final LongAccumulator last = new LongAccumulator(Math::max, 0);

	private final Map<String, Integer> firstOfQueues = new ConcurrentHashMap<>();

	private final Queue<Wait> longWaits = new ConcurrentLinkedQueue<>();

	private volatile Histogram fromClaim = histogram();

	private volatile Histogram fromEnqueue = histogram();

	private volatile int countedOfQueues;

	private volatile @Nullable Pauses pauses;

	private static Histogram histogram() {
		Histogram histogram = new ConcurrentHistogram(3);
		histogram.setAutoResize(true);
		return histogram;
	}

	/**
	 * From now on, distinguish long waits for a worker from pauses of the whole process.
	 */
	void watchPauses() {
		this.pauses = Pauses.watch();
	}

	/**
	 * Count how many of the first tasks come from each queue.
	 * @param tasks the number of tasks to count
	 */
	void countQueuesOf(int tasks) {
		this.countedOfQueues = tasks;
	}

	long begun(Task task, JobContext job) {
		long now = Runs.nowMicros();
		if (this.countedOfQueues > 0 && this.begun.sum() < this.countedOfQueues) {
			this.firstOfQueues.merge(job.queue(), 1, Integer::sum);
		}
		this.begun.increment();
		this.first.accumulate(now);
		long claimed = ClaimTimes.micros(job);
		this.fromClaim.recordValue(Math.max(0, now - claimed));
		if (this.pauses != null && now - claimed >= LONG_WAIT) {
			this.longWaits.add(new Wait(claimed, now));
		}
		if (task.t() > 0) {
			this.fromEnqueue.recordValue(Math.max(0, now - task.t()));
		}
		return now;
	}

	void ended(long begunAt) {
		long now = Runs.nowMicros();
		this.worked.add(now - begunAt);
		this.last.accumulate(now);
		this.ended.increment();
	}

	Map<String, Integer> firstOfQueues() {
		return new TreeMap<>(this.firstOfQueues);
	}

	/**
	 * Return the figures recorded since the last call, and start recording again.
	 */
	TaskFigures take() {
		Pauses watched = this.pauses;
		long longest = this.longWaits.stream()
			.filter((wait) -> watched == null || !watched.overlaps(wait.from(), wait.to()))
			.mapToLong((wait) -> wait.to() - wait.from())
			.max()
			.orElse(0);
		TaskFigures figures = new TaskFigures(this.ended.sumThenReset(), this.first.getThenReset(),
				this.last.getThenReset(), this.worked.sumThenReset(), this.fromClaim, this.fromEnqueue, longest);
		this.longWaits.clear();
		this.begun.reset();
		this.fromClaim = histogram();
		this.fromEnqueue = histogram();
		return figures;
	}

	/**
	 * A long wait between a claim and the start of the run.
	 *
	 * @param from when the job was claimed
	 * @param to when the run began
	 */
	private record Wait(long from, long to) {

	}

}
