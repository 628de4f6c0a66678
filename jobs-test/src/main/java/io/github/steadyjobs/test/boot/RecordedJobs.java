package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.PreparingJobClient;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The jobs that a test has enqueued. They can be checked with {@code assertThat(jobs)} of
 * AssertJ, and run. A bean in the contexts of tests with {@link AutoConfigureJobs}.
 * <p>
 * Contains the jobs that were enqueued on the thread of the test since the test began,
 * including those that have run. Thread safe.
 */
public final class RecordedJobs implements AssertProvider<RecordedJobsAssert> {

	private final Recordings recordings;

	private final Expectations expectations;

	private final @Nullable JobRuns runs;

	private final Supplier<PreparingJobClient> client;

	private final boolean everyThread;

	RecordedJobs(Recordings recordings, Expectations expectations, @Nullable JobRuns runs,
			Supplier<PreparingJobClient> client, boolean everyThread) {
		this.recordings = recordings;
		this.expectations = expectations;
		this.runs = runs;
		this.client = client;
		this.everyThread = everyThread;
	}

	/**
	 * Return the jobs of all threads of this context, for a test in which other threads
	 * enqueue jobs, such as those of a web server. Jobs of tests that run in parallel in
	 * the same context are among them.
	 * @return the jobs of all threads
	 */
	public RecordedJobs ofAllThreads() {
		return new RecordedJobs(this.recordings, this.expectations, this.runs, this.client, true);
	}

	/**
	 * Return the jobs that were enqueued, thread by thread. The jobs of a thread are in
	 * the order in which they were enqueued. Jobs that were dropped as duplicates are
	 * left out.
	 * @return the jobs
	 */
	public List<RecordedJob> enqueued() {
		return seen().stream().flatMap((recording) -> recording.enqueued().stream()).toList();
	}

	/**
	 * Forget the jobs of this thread and their locks, and return to the system time. Also
	 * forget the jobs of all other threads, unless another test is running in this
	 * context. Redis keeps its jobs. This method is also called before each test.
	 */
	public void clear() {
		this.recordings.clear();
	}

	/**
	 * Run all jobs that are due, but not those that are enqueued during the drain.
	 * @return the outcomes
	 */
	public Drained drain() {
		return drain(Drain.everything());
	}

	/**
	 * Run jobs, each through the whole chain of a worker: from reading what is stored to
	 * the decision about a retry. Failures are not thrown. In mode {@code INLINE}, also
	 * run the jobs that these jobs enqueue without a delay, whatever is selected.
	 * @param what which jobs to run
	 * @return the outcomes
	 * @throws AssertionError if jobs are left after 10,000 runs, unless another limit is
	 * set
	 */
	public Drained drain(Drain what) {
		return runs("drain").drain(seen(), what);
	}

	/**
	 * Run one job at once, through the interceptors and checks of the client and the
	 * whole chain of a worker. The job itself is not recorded. Its failure is not thrown.
	 * In mode {@code INLINE}, the jobs that it enqueues run after it, and their first
	 * failure is thrown.
	 * @param request the job
	 * @return the outcome
	 */
	public RunResult run(JobRequest request) {
		return runs("run").run(request, this.client.get());
	}

	/**
	 * Let time pass: scheduled jobs and retries become due, but do not run before they
	 * are drained. Only Steady Jobs uses this time, not the application.
	 * @param duration the time by which to advance
	 */
	public void advance(Duration duration) {
		Assert.isTrue(!duration.isNegative(), "'duration' must not be negative: time does not go back");
		runs("advance");
		seen().forEach((recording) -> recording.advance(duration));
	}

	/**
	 * Return the time of the jobs of this thread.
	 * @return the system time plus the time by which it was advanced
	 */
	public Instant now() {
		return this.recordings.clock().instant();
	}

	private JobRuns runs(String what) {
		if (this.runs == null) {
			throw new IllegalStateException(("'%s' is not possible with mode = REAL: there, workers run the jobs, and "
					+ "time is that of Redis. Wait for the effect of the job, for example with Awaitility, or use "
					+ "@AutoConfigureJobs with mode = RECORD.")
				.formatted(what));
		}
		return this.runs;
	}

	private List<Recording> seen() {
		return this.everyThread ? this.recordings.all() : List.of(this.recordings.current());
	}

	List<Recording> unseen() {
		return this.everyThread ? List.of() : this.recordings.others();
	}

	boolean isFound(RecordedJob job) {
		return this.recordings.found().contains(job);
	}

	/**
	 * Note that an assertion has found jobs.
	 * @return those that no assertion had found before
	 */
	List<RecordedJob> found(List<RecordedJob> jobs) {
		return jobs.stream().filter((job) -> this.recordings.found().add(job)).toList();
	}

	/** Undo {@link #found} for jobs: their assertion is narrowed down, or fails. */
	void notFound(List<RecordedJob> jobs) {
		jobs.forEach(this.recordings.found()::remove);
	}

	List<String> dropped() {
		return seen().stream().flatMap((recording) -> recording.dropped().stream()).toList();
	}

	Expectations expectations() {
		return this.expectations;
	}

	/**
	 * Used by {@code assertThat(jobs)} of AssertJ.
	 * @return the assertions
	 */
	@Override
	public RecordedJobsAssert assertThat() {
		return new RecordedJobsAssert(this);
	}

	@Override
	public String toString() {
		return "recorded jobs " + enqueued();
	}

}
