package io.github.steadyjobs.guide.recurringjobs;

import java.time.Duration;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.Schedule;
import io.github.steadyjobs.test.RecurringCheck;

import org.springframework.context.ApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Code of {@code docs/recurring-jobs.md}.
 */
class RecurringJobsPage {

	RecurringJobs recurring;

	ApplicationContext context;

	@Component
	class Reports {

		@Job(queue = "reports")
		@Idempotent
		@Recurring(cron = "0 0 3 * * *", zone = "Europe/Berlin")
		void nightly(JobContext job) {
		}

		@Job
		@Idempotent
		@Recurring(name = "sweep-often", every = "10m")
		@Recurring(name = "sweep-december", every = "1m", from = "2026-12-01", until = "2027-01-01")
		void sweep() {
		}

	}

	void listed() {
		recurring.list();
		recurring.pause("sweep-often", "ann", "disk is being replaced");
		recurring.resume("sweep-often");
		recurring.trigger("sweep-often");
	}

	void created() {
		recurring
			.create(RecurringJob.of("refresh-eu", "Prices.refresh", "default", Schedule.every(Duration.ofMinutes(5))));
		recurring
			.change(RecurringJob.of("refresh-eu", "Prices.refresh", "default", Schedule.every(Duration.ofMinutes(1))));
		recurring.delete("refresh-eu");
	}

	void checked() {
		RecurringCheck recurring = RecurringCheck.in(context);
		recurring.neverRunsMoreOftenThanEvery(Duration.ofMinutes(1));
		recurring.job("Reports.nightly")
			.after("2026-03-28T12:00:00Z")
			.runsNextAt("2026-03-29T03:00:00+02:00", "2026-03-30T03:00:00+02:00");
	}

}
