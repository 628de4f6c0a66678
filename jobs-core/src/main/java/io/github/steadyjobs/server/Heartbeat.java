package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreDamagedException;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import io.github.steadyjobs.server.Memberships.Sign;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every queue of this process that it is alive, and people what it is doing. Passes
 * on what the queues answer: who else is alive, and what waits for jobs that this process
 * has. Runs on a thread and a connection of its own, so that neither a job nor a large
 * push delays it.
 */
final class Heartbeat {

	private static final int PARTS_OF_A_BEAT = 5;

	private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private final Memberships memberships;

	private final Duration interval;

	private final Duration patience;

	private final ProcessReport report;

	private final HeartbeatParts parts;

	private final Map<String, Long> everParked = new ConcurrentHashMap<>();

	Heartbeat(Memberships memberships, Duration interval, ProcessReport report, HeartbeatParts parts) {
		this.memberships = memberships;
		this.interval = interval;
		Duration half = interval.dividedBy(2);
		this.patience = (half.compareTo(LEAST_PATIENCE) > 0) ? half : LEAST_PATIENCE;
		this.report = report;
		this.parts = parts;
	}

	/**
	 * Start beating.
	 * @param scheduler a thread that has nothing else to do
	 * @param chores where what takes longer is done
	 */
	void start(ScheduledExecutorService scheduler, Executor chores) {
		scheduler.execute(() -> beatOnAndOn(scheduler, chores));
	}

	private void beatOnAndOn(ScheduledExecutorService scheduler, Executor chores) {
		long begin = System.nanoTime();
		// A gap makes everybody begin anew with watching the others, so a beat that
		// failed
		// is soon made up for.
		Duration pause = beat(chores) ? this.interval : this.interval.dividedBy(PARTS_OF_A_BEAT);
		long passed = System.nanoTime() - begin;
		try {
			scheduler.schedule(() -> beatOnAndOn(scheduler, chores), Math.max(1, pause.toNanos() - passed),
					TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The worker has ended", ex);
		}
	}

	/**
	 * Beat once.
	 * @return whether all queues have answered
	 */
	boolean beat(Executor chores) {
		try {
			List<Sign> signs = this.memberships.beat();
			for (Sign sign : signs) {
				try {
					answered(sign, Waits.on(sign.answer(), this.patience), chores);
				}
				catch (JobStoreDamagedException ex) {
					// The fetcher says so; other queues need their beats all the same.
					logger.debug("No heartbeat in queue {}", sign.queue(), ex);
				}
			}
			this.report.write(this.interval);
			this.parts.sweeper().sweep(signs.stream().map(Sign::queue).toList(), chores);
			this.parts.fetching().forEach(FetchWatch::heartbeatAnswered);
			this.parts.events().publish(new WorkerEvent.Beat(this.report.process()));
			return true;
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
			this.parts.outage().unexpected(ex);
		}
		return false;
	}

	private void answered(Sign sign, Beat beat, Executor chores) {
		String queue = sign.queue();
		if (beat.status() == Status.FENCED) {
			this.memberships.fenced(queue, sign.name());
		}
		else if (beat.status() == Status.OK) {
			this.parts.data().seen(queue, sign.least(), beat.data());
			this.parts.watch()
				.read(queue, beat.counters(), System.nanoTime())
				.forEach((death) -> this.parts.reaper().reclaim(death, chores));
			unpark(queue, beat, chores);
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
				this.parts.look().accept(queue);
				logger.info("{} parked jobs of queue {} go on, as this process has beans for them", moved, queue);
			}
		}
		catch (JobStoreException ex) {
			this.everParked.remove(queue);
			logger.debug("Parked jobs of queue {} will be looked at again", queue, ex);
		}
	}

}
