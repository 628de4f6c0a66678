package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.server.WorkerSettings.Liveness;

/**
 * Decides how many runs a capsule claims beyond its free workers: as many as the workers
 * are expected to begin within the claim-ahead time. The number is the rate at which runs
 * begin, multiplied by the claim-ahead time (Little's law). For short jobs the number is
 * a hundred or more, so that workers need not wait for Redis. For long jobs the number is
 * zero, so that no job waits here while other processes are idle. Not thread safe.
 */
final class ClaimAhead {

	private static final int MOST_JOBS = 200;

	/**
	 * A claimed job that has waited for this multiple of the claim-ahead time is given
	 * back: some running job is taking longer than earlier jobs did.
	 */
	private static final int GUARD = 4;

	private static final long PAUSE = Duration.ofSeconds(1).toNanos();

	private static final long SAMPLE = Duration.ofMillis(20).toNanos();

	private static final long LONGEST_SAMPLE = 10 * SAMPLE;

	private final long time;

	private double startsPerNano;

	private long sampledAt;

	private long sampled;

	private long payloadBytes;

	private long pausedUntil;

	ClaimAhead(Duration time, long now) {
		this.time = time.toNanos();
		this.sampledAt = now;
		this.pausedUntil = now;
	}

	/**
	 * Create an instance for a capsule. Nothing is claimed ahead if the capsule has a
	 * single worker, which users rely on to run jobs in order; if a queue delivers jobs
	 * at most once; or if one or two crashes make a job dead. In the last two cases, jobs
	 * that were claimed ahead but never began would become dead after a crash.
	 */
	static ClaimAhead of(Capsule capsule, Liveness liveness) {
		boolean harmless = capsule.concurrency() > 1 && liveness.allowsEarlyClaims()
				&& capsule.queues().stream().noneMatch(Capsule.Queue::atMostOnce);
		return new ClaimAhead(harmless ? capsule.claimAhead() : Duration.ZERO, System.nanoTime());
	}

	/**
	 * Return how many runs may be claimed in addition to the runs for free workers.
	 * @param now the current {@link System#nanoTime()}
	 * @param begun the number of runs that have begun so far
	 * @param waited how long the next job to begin has waited, in nanoseconds
	 */
	int allowed(long now, long begun, long waited) {
		if (this.time == 0) {
			return 0;
		}
		sample(now, begun);
		if (waited > this.time || now - this.pausedUntil < 0) {
			return 0;
		}
		double jobs = this.startsPerNano * this.time;
		return (int) Math.min(jobs, Math.min(MOST_JOBS, WorkStore.MOST_BYTES_AHEAD / Math.max(1, this.payloadBytes)));
	}

	private void sample(long now, long begun) {
		long passed = now - this.sampledAt;
		if (passed >= SAMPLE) {
			// A rate measured over too long a period does not reflect the present.
			this.startsPerNano = (passed <= LONGEST_SAMPLE) ? (begun - this.sampled) / (double) passed : 0;
			this.sampledAt = now;
			this.sampled = begun;
		}
	}

	void claimed(List<UnitOfWork> works) {
		long bytes = 0;
		for (UnitOfWork work : works) {
			bytes += work.stored().length;
		}
		long average = bytes / works.size();
		// An increase takes effect at once, a decrease only gradually.
		this.payloadBytes = Math.max(average, (7 * this.payloadBytes + average) / 8);
	}

	/** Return how long a job may wait before it is given back, in nanoseconds. */
	long longestWait() {
		return Math.max(GUARD * this.time, SAMPLE);
	}

	/** Do not allow claiming ahead for one second. */
	void pause(long now) {
		this.pausedUntil = now + PAUSE;
	}

}
