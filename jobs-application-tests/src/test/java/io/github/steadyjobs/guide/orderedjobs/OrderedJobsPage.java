package io.github.steadyjobs.guide.orderedjobs;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.admin.OrderedKey;

/**
 * Code of {@code docs/ordered-jobs.md}.
 */
class OrderedJobsPage {

	JobClient jobs;

	OrderedJobs orderedJobs;

	OrderUpdate update;

	String id;

	@Job
	@Sequential(key = "#update.orderId", score = "#update.version")
	void handle(OrderUpdate update) {
	}

	void enqueue() {
		jobs.enqueue(new OrderUpdate("o-7", 3, "paid"));
	}

	@RetriesExhausted
	void givenUp(OrderUpdate update, JobPayload job, Throwable failure) {
	}

	void enqueueWithKey() {
		jobs.enqueue(JobRequest.of(update).key("o-7").score(3).after(Duration.ofSeconds(10)));
	}

	void lag() {
		for (OrderedKey key : orderedJobs.keys("OrderJobs.handle", 10)) {
			System.out
				.println(key.key() + " has been waiting for " + key.lag(Instant.now()) + ", in " + key.job().place());
		}
	}

	void morgue() {
		for (JobPayload dead : orderedJobs.morgue("OrderJobs.handle", 100)) {
			System.out.println(dead.key() + " " + dead.arguments() + ": " + dead.errorMessage());
		}
		orderedJobs.revive("OrderJobs.handle", id);
		orderedJobs.reviveKey("OrderJobs.handle", "o-7");
	}

	record OrderUpdate(String orderId, long version, String state) {

	}

}
