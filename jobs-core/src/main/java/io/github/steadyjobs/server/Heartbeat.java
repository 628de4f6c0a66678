package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every queue of this process that it is alive, and people what it is doing. Passes
 * on what the queues answer: who else is alive, and what waits for jobs that this process
 * has. Runs on a thread and a connection of its own, so that neither a job nor a large
 * push delays it.
 */
final class Heartbeat {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private final Memberships memberships;

	private final Duration interval;

	private final ProcessReport report;

	private final HeartbeatParts parts;

	private final Map<String, Long> everParked = new ConcurrentHashMap<>();

	Heartbeat(Memberships memberships, Duration interval, ProcessReport report, HeartbeatParts parts) {
		this.memberships = memberships;
		this.interval = interval;
		this.report = report;
		this.parts = parts;
	}

	/**
	 * Start beating.
	 * @param scheduler a thread that has nothing else to do
	 * @param chores where what takes longer is done
	 */
	void start(ScheduledExecutorService scheduler, Executor chores) {
		scheduler.scheduleAtFixedRate(() -> beat(chores), 0, this.interval.toMillis(), TimeUnit.MILLISECONDS);
	}

	void beat(Executor chores) {
		try {
			Map<String, String> joined = this.memberships.joined();
			Map<String, Long> least = new ConcurrentHashMap<>();
			joined.keySet().forEach((queue) -> least.put(queue, this.parts.data().seq(queue)));
			Map<String, CompletableFuture<Beat>> beats = this.memberships.beat();
			Duration patience = (this.interval.toMillis() > 1000) ? this.interval : Duration.ofSeconds(1);
			for (Map.Entry<String, CompletableFuture<Beat>> sent : beats.entrySet()) {
				String queue = sent.getKey();
				Beat beat = Waits.on(sent.getValue(), patience);
				if (beat.status() == Status.FENCED) {
					this.memberships.fenced(queue, joined.getOrDefault(queue, ""));
				}
				else if (beat.status() == Status.OK) {
					this.parts.data().seen(queue, least.getOrDefault(queue, 0L), beat.data());
					this.parts.watch()
						.read(queue, beat.counters(), System.nanoTime())
						.forEach((death) -> this.parts.reaper().reclaim(death, chores));
					unpark(queue, beat, chores);
				}
			}
			this.report.write(this.interval);
			this.parts.sweeper().sweep(joined.keySet(), chores);
			this.parts.fetching().forEach(FetchWatch::heartbeatAnswered);
			this.parts.events().publish(new WorkerEvent.Beat(this.report.process()));
		}
		catch (JobStoreException ex) {
			// Fetchers notice as well, and say so.
			logger.debug("No heartbeat", ex);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The worker has ended", ex);
		}
		catch (Throwable ex) {
			// An exception would end the schedule, and with it this process's life.
			logger.error("Heartbeat failed, trying again", ex);
		}
	}

	private void unpark(String queue, Beat beat, Executor chores) {
		// Only after more were parked: looking through parked jobs takes a while, and
		// some may wait for a job that this process will never have.
		Long before = this.everParked.put(queue, beat.everParked());
		if (beat.parked() > 0 && (before == null || before != beat.everParked())) {
			chores.execute(() -> unpark(queue));
		}
	}

	private void unpark(String queue) {
		try {
			List<String> names = this.parts.jobNames();
			long moved = this.parts.store()
				.unpark(queue, names.stream().map((name) -> Processor.UNKNOWN + name).toList());
			if (moved > 0) {
				logger.info("{} parked jobs of queue {} go on, as this process has beans for them", moved, queue);
			}
		}
		catch (JobStoreException ex) {
			this.everParked.remove(queue);
			logger.debug("Parked jobs of queue {} will be looked at again", queue, ex);
		}
	}

}
