package io.github.steadyjobs.benchmarks.chaos;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Writes down how many ends of jobs did not count in this process, whenever that changes:
 * the meter is gone with the process.
 */
final class FencedCount implements AutoCloseable {

	private static final String METER = "jobs.fenced";

	private static final long INTERVAL_MILLIS = 100;

	private final EffectLog log;

	private final MeterRegistry meters;

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	private long written;

	FencedCount(EffectLog log, MeterRegistry meters) {
		this.log = log;
		this.meters = meters;
		this.scheduler.scheduleWithFixedDelay(this::write, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
	}

	private synchronized void write() {
		long total = (long) this.meters.find(METER).counters().stream().mapToDouble(Counter::count).sum();
		if (total != this.written) {
			this.written = total;
			this.log.fencedOff(total);
		}
	}

	@Override
	public void close() {
		this.scheduler.shutdownNow();
		write();
	}

}
