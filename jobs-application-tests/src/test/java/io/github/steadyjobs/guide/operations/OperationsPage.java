package io.github.steadyjobs.guide.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

import io.github.steadyjobs.admin.ActivityPage;
import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobLock;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.admin.LockPage;
import io.github.steadyjobs.admin.ProcessOrder;
import io.github.steadyjobs.admin.RunTotals;
import io.github.steadyjobs.recurring.RecurringJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Code of {@code docs/operations.md}.
 */
class OperationsPage {

	private static final Logger log = LoggerFactory.getLogger(OperationsPage.class);

	JobAdmin admin;

	JobProcesses processes;

	JobLocks locks;

	JobHistory history;

	JobPauses pauses;

	JobActivity activity;

	JobsActor actor;

	RecurringJobs recurring;

	String id;

	String name;

	Instant now;

	Instant from;

	Instant to;

	void explanation() {
		admin.find(id).ifPresent((job) -> log.info("{}: {}", job.reason(), job.explanation()));
	}

	void recurringJob() {
		recurring.find("nightly")
			.ifPresent((job) -> log.info("{}: {}, next {}, last {}", job.name(), job.status(), job.next(), job.last()));
	}

	void dead() {
		JobEntry dead = admin.find(id).orElseThrow().job();
		dead.payload().errorClass();
		dead.payload().failures();
		admin.edit(id, "[{\"order\":17}]");
		admin.change(JobAction.RETRY, id);
	}

	void queues() {
		admin.queues().forEach((queue) -> log.info("{}", queue));
	}

	void jobs() {
		JobPage page = admin.page(JobQuery.of(JobPlace.DEAD).name("Invoice*").text("timeout"));
		admin.find(id).ifPresent((job) -> log.info(job.explanation()));
		admin.change(JobAction.RETRY, id);

		JobQuery failed = JobQuery.of(JobPlace.DEAD).queue("mail");
		BulkChange step = admin.change(JobAction.RETRY, failed);
		while (step.hasNext()) {
			step = admin.change(JobAction.RETRY, failed.after(step.next()));
		}
	}

	void processes() {
		for (JobProcess process : processes.list()) {
			process.name();
			process.origin();
			process.state();
			process.capsules();
			process.running();
		}
		processes.quiet(name);
		processes.stop(name);
		ProcessOrder order = processes.threadDump(name);
		processes.threadDump(name, order.number());
	}

	void locks() {
		LockPage page = locks.page("mail", LockPage.START, 100);
		JobLock lock = locks.ofJob(id).orElseThrow();
		locks.release("mail", lock.digest(), lock.holder());
		locks.releaseOfJob(id);
	}

	void history() {
		history.minutes(now.minus(Duration.ofHours(72)), now);
		history.minutes("InvoiceJobs.send", from, to);
		history.names(now.minus(Duration.ofHours(1)), now);
		history.days(LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 31));
		history.marks(from, to);

		RunTotals totals = history.names(from, to).get(0).totals();
		totals.percentile(0.95);
		totals.meanWait();
		history.mark("new database");
	}

	void pauses() {
		pauses.pauseQueue("mail", "ann", "the mail server is moved", Instant.now().plus(Duration.ofHours(2)));
		pauses.pauseJob("InvoiceJobs.send", "ann", "wrong totals");
		pauses.list();
		pauses.resumeJob("InvoiceJobs.send");
	}

	void activity() {
		ActivityPage page = activity.page("", 50);
		page.actions().forEach((action) -> log.info("{}", action));
		actor.as("nightly clean-up", () -> admin.purge("mail", JobPlace.DEAD));
	}

}
