package io.github.steadyjobs.recurring;

import java.time.Duration;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;

import org.springframework.util.Assert;

/**
 * A job that is enqueued again and again. Immutable.
 *
 * @param name the name of this recurrence
 * @param job the name of the job, which takes no arguments
 * @param queue the queue of its ticks and jobs
 * @param schedule when it runs
 * @param missed what happens to missed ticks
 * @param atMost how many missed ticks {@link Missed#RUN_ALL} runs, zero otherwise
 * @param overlap what happens while the job of an earlier tick has not ended
 */
public record RecurringJob(String name, String job, String queue, Schedule schedule, Missed missed, int atMost,
		Overlap overlap) {

	private static final Duration LOCKED_FOR = Duration.ofDays(36_000_000);

	/** The most missed ticks that may be run. */
	public static final int MOST_MISSED = 1000;

	/** The key under which its jobs carry the name of this recurrence. */
	public static final String META_NAME = "recurring";

	/** The key under which its jobs carry the time of their tick. */
	public static final String META_DUE = "recurring_due";

	/**
	 * Create a recurring job.
	 * @throws InvalidRecurringJobException if something is invalid; the message says what
	 */
	public RecurringJob {
		InvalidRecurringJobException.throwUnless(Names.isName(name), "'name' must be %s, but is '%s'", Names.RULE,
				name);
		InvalidRecurringJobException.throwUnless(Names.isJobName(job), "'job' must be %s, but is '%s'", Names.JOB_RULE,
				job);
		InvalidRecurringJobException.throwUnless(Names.isName(queue), "'queue' must be %s, but is '%s'", Names.RULE,
				queue);
		Assert.notNull(schedule, "'schedule' must not be null; make one with Schedule.cron(…) or Schedule.every(…)");
		Assert.notNull(missed, "'missed' must not be null; pass RUN_ONCE for the default");
		Assert.notNull(overlap, "'overlap' must not be null; pass SKIP for the default");
		if (missed == Missed.RUN_ALL) {
			InvalidRecurringJobException.throwUnless(atMost >= 1 && atMost <= MOST_MISSED,
					"'atMost' must say how many missed ticks RUN_ALL runs, 1 to 1,000, but is %s", atMost);
		}
		else {
			InvalidRecurringJobException.throwUnless(atMost == 0, "'atMost' is for RUN_ALL, and 'missed' is %s",
					missed);
		}
	}

	/**
	 * Create a recurring job with the default policies.
	 * @param name the name of this recurrence
	 * @param job the name of the job
	 * @param queue the queue
	 * @param schedule when it runs
	 * @return the recurring job
	 */
	public static RecurringJob of(String name, String job, String queue, Schedule schedule) {
		return new RecurringJob(name, job, queue, schedule, Missed.RUN_ONCE, 0, Overlap.SKIP);
	}

	/**
	 * Choose what happens to missed ticks.
	 * @param missed {@link Missed#SKIP} or {@link Missed#RUN_ONCE}
	 * @return the recurring job with that policy
	 */
	public RecurringJob missed(Missed missed) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, missed, 0, this.overlap);
	}

	/**
	 * Run missed ticks.
	 * @param atMost how many of the latest ones, 1 to 1,000
	 * @return the recurring job with that policy
	 */
	public RecurringJob runAllMissed(int atMost) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, Missed.RUN_ALL, atMost, this.overlap);
	}

	/**
	 * Choose what happens while the job of an earlier tick has not ended.
	 * @param overlap the policy
	 * @return the recurring job with that policy
	 */
	public RecurringJob overlap(Overlap overlap) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, this.missed, this.atMost, overlap);
	}

	/**
	 * Return the request of a job of this recurrence.
	 * @param idempotent whether the job is idempotent: then equal jobs that something
	 * else has enqueued count too
	 */
	JobRequest request(boolean idempotent) {
		JobRequest request = JobRequest.named(this.job).queue(this.queue).meta(META_NAME, this.name);
		if (this.overlap == Overlap.ALLOW) {
			return request;
		}
		// A lock counts only while its job exists, so it needs no expiry.
		Idempotence lock = Idempotence.untilExecuted().ttl(LOCKED_FOR);
		lock = idempotent ? lock : lock.key(META_NAME + " " + this.name);
		return request.idempotent((this.overlap == Overlap.QUEUE_ONE) ? lock.runOnceMore() : lock);
	}

}
