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

/**
 * Measures the duration of runs as {@code jobs.run}, with the tags {@code job}, {@code
 * queue} and {@code outcome}, and the time from when a job is ready until it runs as
 * {@code jobs.wait}, with the tag {@code queue}. Thread safe.
 */
public final class JobRunMetrics implements JobListener {

	private final MeterRegistry registry;

	private final Map<MeterKey, Timer> runs = new ConcurrentHashMap<>();

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
		MeterKey key = new MeterKey(JobMeter.RUN, job.name(), job.queue(), outcome.name());
		Timer timer = this.runs.get(key);
		if (timer == null) {
			timer = this.runs.computeIfAbsent(key, (absent) -> JobMeter.RUN.timer(this.registry, job.name(),
					job.queue(), outcome.name().toLowerCase(Locale.ROOT)));
		}
		timer.record(ran);
	}

}
