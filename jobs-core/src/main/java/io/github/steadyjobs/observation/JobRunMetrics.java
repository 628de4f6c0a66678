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
 * Times the runs of jobs: {@code jobs.run} with the tags {@code job}, {@code queue} and
 * {@code outcome}, and {@code jobs.wait} with the tag {@code queue} for the time between
 * ready and running. Thread safe.
 */
public final class JobRunMetrics implements JobListener {

	private final MeterRegistry registry;

	// Looking a meter up by its tags costs more than recording a value.
	private final Map<RunKey, Timer> runs = new ConcurrentHashMap<>();

	private final Map<String, Timer> waits = new ConcurrentHashMap<>();

	public JobRunMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void started(JobContext job, Duration waited) {
		Timer timer = this.waits.get(job.queue());
		if (timer == null) {
			timer = this.waits.computeIfAbsent(job.queue(), this::waitTimer);
		}
		timer.record(waited);
	}

	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		RunKey key = new RunKey(job.name(), job.queue(), outcome);
		Timer timer = this.runs.get(key);
		if (timer == null) {
			timer = this.runs.computeIfAbsent(key, this::runTimer);
		}
		timer.record(ran);
	}

	private Timer waitTimer(String queue) {
		return Timer.builder("jobs.wait")
			.description("Time jobs were ready before they began")
			.tag("queue", queue)
			.register(this.registry);
	}

	private Timer runTimer(RunKey key) {
		return Timer.builder("jobs.run")
			.description("Runs of jobs")
			.tag("job", key.job())
			.tag("queue", key.queue())
			.tag("outcome", key.outcome().name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	/**
	 * Each run looks one up. The methods that Java generates for a record are slow until
	 * they are compiled, and expensive to compile.
	 */
	private record RunKey(String job, String queue, JobOutcome outcome) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof RunKey that && this.outcome == that.outcome && this.job.equals(that.job)
					&& this.queue.equals(that.queue);
		}

		@Override
		public int hashCode() {
			return (this.job.hashCode() * 31 + this.queue.hashCode()) * 31 + this.outcome.ordinal();
		}

	}

}
