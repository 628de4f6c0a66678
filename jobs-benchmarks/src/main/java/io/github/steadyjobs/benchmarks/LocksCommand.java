package io.github.steadyjobs.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;

/**
 * Measures the cost of a lock: enqueueing time, round trips and memory. Jobs with and
 * without a lock are enqueued alternately, so that other load on the machine affects both
 * kinds of jobs.
 */
final class LocksCommand {

	private static final int TURN = 1000;

	private static final int WARM_UP = 20;

	private final Running application;

	private int next;

	private LocksCommand(Running application) {
		this.application = application;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs"));
		int jobs = options.number("jobs", 1_000_000);
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"),
				BenchmarkApplication.concurrency(1), (application) -> new LocksCommand(application).measure(jobs));
	}

	private Map<String, Object> measure(int jobs) throws InterruptedException {
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", jobs);
		int turns = Math.max(1, jobs / 20 / TURN);
		int warmUp = Math.min(WARM_UP, turns);
		compare(warmUp, this::enqueue);
		put(figures, "single", compare(turns, this::enqueue));
		long roundTrips = this.application.redis().roundTrips();
		enqueue(LocksCommand::locked);
		figures.put("round_trips_per_locked_enqueue",
				(this.application.redis().roundTrips() - roundTrips) / (double) TURN);
		compare(warmUp, this::enqueueInBulk);
		put(figures, "bulk", compare(turns, this::enqueueInBulk));
		long plain = memory(jobs, UnaryOperator.identity());
		long locked = memory(jobs, LocksCommand::locked);
		figures.put("bytes_per_plain_job", plain);
		figures.put("bytes_per_locked_job", locked);
		figures.put("bytes_per_lock", locked - plain);
		return figures;
	}

	private static void put(Map<String, Object> figures, String how, long[] nanos) {
		figures.put(how + "_plain_us", Math.round(nanos[0] / 10.0) / 100.0);
		figures.put(how + "_locked_us", Math.round(nanos[1] / 10.0) / 100.0);
		figures.put(how + "_overhead_percent", Math.round(1000.0 * (nanos[1] - nanos[0]) / nanos[0]) / 10.0);
	}

	/**
	 * Enqueue jobs with and without a lock alternately.
	 * @return nanoseconds per job, without and with a lock
	 */
	private long[] compare(int turns, Turn turn) {
		long plain = 0;
		long locked = 0;
		for (int i = 0; i < turns; i++) {
			plain += timed(() -> turn.enqueue(UnaryOperator.identity()));
			locked += timed(() -> turn.enqueue(LocksCommand::locked));
		}
		long jobs = (long) turns * TURN;
		return new long[] { plain / jobs, locked / jobs };
	}

	private static long timed(Runnable work) {
		long start = System.nanoTime();
		work.run();
		return System.nanoTime() - start;
	}

	private long memory(int jobs, UnaryOperator<JobRequest> change) throws InterruptedException {
		// The tables of hashes double in size now and then, so both measurements have to
		// begin with empty hashes.
		this.application.redis().clear(this.application.prefix());
		this.application.redis().awaitFreed();
		long before = this.application.redis().usedMemory();
		for (int i = 0; i < jobs; i += TURN) {
			enqueueInBulk(change);
		}
		return (this.application.redis().usedMemory() - before) / jobs;
	}

	private void enqueue(UnaryOperator<JobRequest> change) {
		for (int i = 0; i < TURN; i++) {
			this.application.client().enqueue(change.apply(request()));
		}
	}

	private void enqueueInBulk(UnaryOperator<JobRequest> change) {
		List<JobRequest> requests = new ArrayList<>(TURN);
		for (int i = 0; i < TURN; i++) {
			requests.add(change.apply(request()));
		}
		this.application.client().enqueueAll(requests);
	}

	private JobRequest request() {
		return JobRequest.of(Argument.of(this.next++, 0));
	}

	private static JobRequest locked(JobRequest request) {
		return request.idempotent(Idempotence.untilExecuted());
	}

	/**
	 * Enqueues the jobs of one turn.
	 */
	private interface Turn {

		void enqueue(UnaryOperator<JobRequest> change);

	}

}
