package io.github.steadyjobs.observation;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Measures the duration of runs as {@code jobs.run}, with the tags {@code job}, {@code
 * queue} and {@code outcome}, and the time from when a job is ready until it runs as
 * {@code jobs.wait}, with the tag {@code queue}. Thread safe.
 */
public final class JobRunMetrics implements JobListener {

	private final MeterRegistry registry;

	// Looking up a meter by its tags is more expensive than recording a value.
	private final Map<Run, Timer> runs = new ConcurrentHashMap<>();

	private final Map<String, Timer> waits = new ConcurrentHashMap<>();

	public JobRunMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void started(JobContext job, Duration waited) {
		Timer timer = this.waits.get(job.queue());
		if (timer == null) {
			timer = this.waits.computeIfAbsent(job.queue(), (queue) -> JobMeter.WAIT.timer(this.registry, queue));
		}
		timer.record(waited);
	}

	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		Run run = new Run(job.name(), job.queue(), outcome);
		Timer timer = this.runs.get(run);
		if (timer == null) {
			timer = this.runs.computeIfAbsent(run, this::timer);
		}
		timer.record(ran);
	}

	private Timer timer(Run run) {
		return JobMeter.RUN.timer(this.registry, run.job(), run.queue(), run.outcome().name().toLowerCase(Locale.ROOT));
	}

	/**
	 * What a timer measures. The methods that Java generates for a record would be slow
	 * until they are compiled, and compilation is expensive.
	 */
	private record Run(String job, String queue, JobOutcome outcome) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Run that && this.outcome == that.outcome && this.job.equals(that.job)
					&& this.queue.equals(that.queue);
		}

		@Override
		public int hashCode() {
			return 31 * (31 * this.job.hashCode() + this.queue.hashCode()) + this.outcome.ordinal();
		}

	}

}
