package io.github.steadyjobs.guide.readme;

import java.util.UUID;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;

/**
 * Code of {@code README.md}.
 */
class ReadmePage {

	JobClient jobs;

	UUID id;

	void enqueue() {
		jobs.enqueue(new Welcome("ada@example.org"));
		jobs.enqueue(InvoiceJobs.class, (invoices) -> invoices.send(id, "final"));
		jobs.enqueue(JobRequest.named("invoice.send", id, "final"));
	}

	@Job
	@Sequential(key = "#update.orderId", score = "#update.version")
	void apply(OrderUpdate update) {
	}

	@Job
	@Recurring(cron = "0 0 3 * * *", zone = "Europe/Berlin")
	void nightly() {
	}

	record Welcome(String email) {

	}

	record OrderUpdate(String orderId, long version) {

	}

	static class InvoiceJobs {

		@Job
		void send(UUID id, String template) {
		}

	}

}
