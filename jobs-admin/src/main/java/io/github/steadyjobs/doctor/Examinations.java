package io.github.steadyjobs.doctor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.doctor.Finding.Severity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Examines Redis when the application starts, on a separate thread. If Redis is
 * unavailable, it is examined as soon as it answers. Response times are measured when the
 * application has started and again a minute later, because all answers are slow while
 * the machine is still busy with the start. If this process runs no jobs, the thread then
 * checks for lost data at regular intervals. Thread safe.
 * <p>
 * A finding of severity {@link Severity#FAIL} prevents the start before any job runs. The
 * start waits for Redis only if a check has that severity, and no longer than the sum of
 * the timeouts for connecting and for one command.
 */
public final class Examinations implements SmartLifecycle {

	/** The phase after the connections and before anything that runs jobs. */
	public static final int PHASE = 1024;

	/** Number of pauses between two checks for lost data. */
	private static final int PAUSES = 12;

	private static final Logger logger = LoggerFactory.getLogger(Examinations.class);

	private final Doctor doctor;

	private final Duration pause;

	private volatile boolean ready;

	private volatile @Nullable Thread thread;

	/**
	 * Create examinations.
	 * @param pause the time between two attempts while Redis is unavailable; checks for
	 * lost data are twelve times as far apart
	 */
	public Examinations(Doctor doctor, Duration pause) {
		this.doctor = doctor;
		this.pause = pause;
	}

	/**
	 * Examine Redis.
	 * @throws UnfitRedisException if a finding prevents the start
	 */
	@Override
	public synchronized void start() {
		if (this.thread != null || this.doctor.isOff()) {
			return;
		}
		boolean examined = this.doctor.refusesStart() && examineNow();
		Thread started = new Thread(() -> runUntilStopped(examined), "jobs-doctor");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private boolean examineNow() {
		try {
			List<Finding> reasons = this.doctor.examineAtStart()
				.stream()
				.filter((finding) -> finding.severity() == Severity.FAIL)
				.toList();
			if (!reasons.isEmpty()) {
				throw new UnfitRedisException(this.doctor.redis(), reasons);
			}
			return true;
		}
		catch (JobStoreException ex) {
			// An application must be able to start even if Redis is unavailable.
			logger.debug("Redis could not be examined before the start", ex);
			return false;
		}
	}

	/** Make the remaining checks, now that the application has started. */
	public void ready() {
		this.ready = true;
		LockSupport.unpark(this.thread);
	}

	private void runUntilStopped(boolean examined) {
		try {
			run(examined);
		}
		catch (RuntimeException ex) {
			if (isCurrent()) {
				throw ex;
			}
			// The beans that the doctor asks are gone, because the application stops.
			logger.debug("The examination was cut short", ex);
		}
	}

	private void run(boolean examined) {
		if (!examined) {
			repeatUntilAnswered(this.doctor::examineAtStart);
		}
		while (isCurrent() && !this.ready) {
			LockSupport.park(this);
		}
		repeatUntilAnswered(this.doctor::examineAfterStart);
		if (isCurrent()) {
			LockSupport.parkNanos(this, this.pause.toNanos() * PAUSES);
		}
		repeatUntilAnswered(this.doctor::examineAfterStart);
		while (isCurrent() && !this.doctor.runsJobs()) {
			repeatUntilAnswered(this.doctor::lookForLosses);
			LockSupport.parkNanos(this, this.pause.toNanos() * PAUSES);
		}
	}

	private void repeatUntilAnswered(Runnable examination) {
		// Workers themselves log that Redis is unavailable.
		boolean saidThatRedisIsAway = this.doctor.runsJobs();
		boolean refused = false;
		while (isCurrent()) {
			try {
				examination.run();
				return;
			}
			catch (JobStoreUnavailableException | JobStoreTimeoutException ex) {
				if (!saidThatRedisIsAway) {
					logger.warn("Redis cannot be examined yet: {}", ex.getMessage());
				}
				saidThatRedisIsAway = true;
				logger.debug("Redis cannot be examined yet", ex);
			}
			catch (RuntimeException ex) {
				if (!refused) {
					logger.warn("Redis at {} could not be examined: {}", this.doctor.redis(), ex.getMessage());
				}
				refused = true;
			}
			LockSupport.parkNanos(this, this.pause.toNanos());
		}
	}

	private boolean isCurrent() {
		return Thread.currentThread() == this.thread;
	}

	@Override
	public synchronized void stop() {
		Thread current = this.thread;
		this.thread = null;
		LockSupport.unpark(current);
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
