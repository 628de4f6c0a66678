package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.server.WorkerJvm;
import io.github.steadyjobs.support.TestRedis;

import org.springframework.dao.DataAccessException;

/**
 * Jobs of all families. The jobs of all processes append their events to a single list in
 * Redis, which is therefore in chronological order.
 */
class FamilyJobs implements JobListener {

	static final String QUEUE = "families";

	/** The queue to which jobs are moved. */
	static final String ASIDE = "aside";

	/** The queue of ordered jobs, which accepts no other jobs. */
	static final String ORDERED = "ordered";

	static final Duration PERIOD = Duration.ofSeconds(1);

	private final TestRedis redis;

	private final String process;

	FamilyJobs(TestRedis redis, String process) {
		this.redis = redis;
		this.process = process;
	}

	@Job(name = "family", queue = QUEUE)
	void run(Family family, int subject, JobContext job) {
		work(family, Integer.toString(subject), job);
	}

	@Job(name = "family.paused", queue = QUEUE)
	void pausable(int subject, JobContext job) {
		work(Family.PAUSED, Integer.toString(subject), job);
	}

	@Job(name = "family.ordered", queue = ORDERED)
	@Sequential(key = "#key", score = "#number", shards = 2)
	void ordered(String key, int number, JobContext job) {
		work(Family.ORDERED, key + "/" + number, job);
	}

	@Job(name = "family.recurring", queue = QUEUE)
	@Recurring(every = "1s", missed = Missed.RUN_ALL, atMost = 1000, overlap = Overlap.ALLOW)
	void recurring(JobContext job) {
		work(Family.RECURRING, String.valueOf(job.meta().get(RecurringJob.META_DUE)), job);
	}

	private void work(Family family, String subject, JobContext job) {
		note("begun", family, subject, job.id(), job.queue());
		LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(Duration.ofMillis(10).toNanos()));
		boolean fails = family == Family.DEAD || (job.attempt() == 1 && family.failsAtFirst);
		note(fails ? "failed" : "ended", family, subject, job.id(), job.queue());
		if (family == Family.DEAD) {
			throw new KillJobException("planned");
		}
		if (fails) {
			throw new IllegalStateException("planned");
		}
	}

	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		if (outcome == JobOutcome.EXPIRED) {
			note("expired", Family.EXPIRED, "", job.id(), job.queue());
		}
	}

	/**
	 * Record an event, and retry until this succeeds, because a run whose end is not
	 * recorded would look unfinished.
	 */
	private void note(String what, Family family, String subject, String id, String queue) {
		String line = String.join(" ", what, family.name(), subject, id, queue, this.process);
		while (true) {
			try {
				this.redis.template().opsForList().rightPush(WorkerJvm.key(this.redis, "notes"), line);
				return;
			}
			catch (DataAccessException ex) {
				if (Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
			}
		}
	}

	static int countNotes(TestRedis redis) {
		return redis.template().opsForList().size(WorkerJvm.key(redis, "notes")).intValue();
	}

	static List<Note> notes(TestRedis redis) {
		return redis.template()
			.opsForList()
			.range(WorkerJvm.key(redis, "notes"), 0, -1)
			.stream()
			.map((line) -> line.split(" ", -1))
			.map((parts) -> new Note(parts[0], Family.valueOf(parts[1]), parts[2], parts[3], parts[4], parts[5]))
			.toList();
	}

	record Note(String what, Family family, String subject, String id, String queue, String process) {

	}

	enum Family {

		PLAIN(false), UNTIL_EXECUTING(false), UNTIL_EXECUTED(true), MUTEX(true), ORDERED(true), RECURRING(false),
		PAUSED(false), RETRIED(true), RETRIED_ASIDE(true), DEAD(false), EXPIRED(false), MOVED(false);

		private final boolean failsAtFirst;

		Family(boolean failsAtFirst) {
			this.failsAtFirst = failsAtFirst;
		}

	}

}
