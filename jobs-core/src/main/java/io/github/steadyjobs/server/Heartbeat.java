package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import io.github.steadyjobs.redis.WorkStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every queue of this process that it is alive, and people what it is doing. Looks
 * after parked jobs while at it. Runs on a thread and a connection of its own, so that
 * neither a job nor a large push delays it.
 */
final class Heartbeat {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private final WorkStore store;

	private final Memberships memberships;

	private final Duration interval;

	private final List<String> unparked;

	private final ProcessReport report;

	private final Map<String, Long> everParked = new ConcurrentHashMap<>();

	Heartbeat(WorkStore store, Memberships memberships, Duration interval, List<String> jobNames,
			ProcessReport report) {
		this.store = store;
		this.memberships = memberships;
		this.interval = interval;
		this.unparked = jobNames.stream().map((name) -> Processor.UNKNOWN + name).toList();
		this.report = report;
	}

	void start(ScheduledExecutorService scheduler) {
		scheduler.scheduleAtFixedRate(this::beat, 0, this.interval.toMillis(), TimeUnit.MILLISECONDS);
	}

	void beat() {
		try {
			Map<String, String> joined = this.memberships.joined();
			Map<String, CompletableFuture<Beat>> beats = new HashMap<>();
			joined.forEach((queue, name) -> beats.put(queue, this.store.beat(queue, name, false)));
			for (Map.Entry<String, CompletableFuture<Beat>> beat : beats.entrySet()) {
				answered(beat.getKey(), joined.getOrDefault(beat.getKey(), ""), await(beat.getValue()));
			}
			this.report.write(this.interval);
		}
		catch (InterruptedException ex) {
			// The worker has ended.
			Thread.currentThread().interrupt();
		}
		catch (JobStoreException ex) {
			// Fetchers notice as well, and say so.
			logger.debug("No heartbeat", ex);
		}
		catch (Throwable ex) {
			// An exception would end the schedule, and with it this process's life.
			logger.error("Heartbeat failed, trying again", ex);
		}
	}

	private void answered(String queue, String name, Beat beat) {
		if (beat.status() == Status.FENCED) {
			this.memberships.fenced(queue, name);
			return;
		}
		// Only after more were parked: looking through parked jobs takes a while, and
		// some may
		// wait for a job that this process will never have.
		Long before = this.everParked.put(queue, beat.everParked());
		if (beat.parked() > 0 && (before == null || before != beat.everParked())) {
			long moved = this.store.unpark(queue, this.unparked);
			if (moved > 0) {
				logger.info("{} parked jobs of queue {} go on, as this process has beans for them", moved, queue);
			}
		}
	}

	private Beat await(CompletableFuture<Beat> beat) throws InterruptedException {
		try {
			return beat.get(Math.max(1000, this.interval.toMillis()), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof JobStoreException cause) ? cause
					: new JobStoreException("A heartbeat failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new JobStoreException("Redis did not answer a heartbeat", ex);
		}
	}

}
