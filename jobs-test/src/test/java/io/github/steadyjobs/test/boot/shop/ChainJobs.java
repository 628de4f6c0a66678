package io.github.steadyjobs.test.boot.shop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.SnoozeJobException;

import org.springframework.stereotype.Component;

/**
 * Jobs that enqueue others, end in unusual ways, have locks or are ordered.
 */
@Component
public class ChainJobs {

	public static final List<String> RAN = new CopyOnWriteArrayList<>();

	private final JobClient jobs;

	public ChainJobs(JobClient jobs) {
		this.jobs = jobs;
	}

	/**
	 * A job that enqueues itself again.
	 *
	 * @param times how many more times; for ever if the number is negative
	 */
	public record Again(int times) {

	}

	public record Ordered(String customer, int version) {

	}

	/** A job that another application has. */
	@JobType("elsewhere.job")
	public record Elsewhere(int number) {

	}

	@Job
	public void again(Again again) {
		RAN.add("again " + again.times());
		if (again.times() != 0) {
			this.jobs.enqueue(new Again(again.times() - 1));
		}
	}

	@Job
	public void enqueueFailing(String message) {
		this.jobs.enqueue(new MailJobs.Failing(message));
	}

	@Job
	@Sequential(key = "#ordered.customer", score = "#ordered.version")
	public void ordered(Ordered ordered) {
		RAN.add(ordered.customer() + " " + ordered.version());
		if (ordered.version() < 0) {
			throw new IllegalStateException("A version cannot be negative");
		}
	}

	@Job
	public void snooze(boolean yes, JobContext job) {
		if (yes && job.scheduledAt() == null) {
			throw new SnoozeJobException(Duration.ofMinutes(1));
		}
		RAN.add("snoozed");
	}

	@Job(retries = 0)
	public void pause(boolean yes) {
		RAN.add("pause");
		if (yes && RAN.size() == 1) {
			throw new PauseQueueException("The mail server is busy", Duration.ofMinutes(10));
		}
	}

	@Job
	public void discard(String why) {
		throw new DiscardJobException(why);
	}

	@Job(retries = 0, dead = false)
	public void failUnkept(String message) {
		throw new IllegalArgumentException(message);
	}

	@Job
	@Idempotent(strategy = Strategy.UNTIL_EXECUTING, ttl = "1h")
	public void untilExecuting(int number) {
		RAN.add("executing " + number);
	}

	@Job
	@Idempotent(strategy = Strategy.WHILE_EXECUTING)
	public void whileExecuting(int number) {
		RAN.add("alone " + number);
	}

	@Job
	@Idempotent(strategy = Strategy.WITHIN, ttl = "1h")
	public void within(int number) {
		RAN.add("within " + number);
	}

	@Job
	@Idempotent(strategy = Strategy.UNTIL_EXECUTED, ttl = "1h", ifDuplicate = IfDuplicate.RUN_ONCE_MORE)
	public void onceMore(int number) {
		RAN.add("once more " + number);
		if (RAN.size() < 3) {
			this.jobs.enqueue(ChainJobs.class, (job) -> job.onceMore(number));
		}
	}

}
