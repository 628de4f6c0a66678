package io.github.steadyjobs.guide.comingfromsidekiq;

import java.util.UUID;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.RetriesExhausted;

import org.springframework.stereotype.Component;

/**
 * Code of {@code docs/coming-from-sidekiq.md}.
 */
class ComingFromSidekiqPage {

	@Component
	class InvoiceJobs {

		@Job(queue = "mail", retries = 10, backtrace = 20, tags = "outgoing", backoff = "rateLimited")
		@NotIdempotent("a second mail does no harm")
		void send(UUID id, String template, JobContext job) {
		}

		@RetriesExhausted
		void notSent(UUID id, String template, Throwable failure) {
		}

	}

	@Component
	class Reports {

		@Job
		@Idempotent
		@Recurring(cron = "0 0 3 * * *", zone = "Europe/Berlin")
		void nightly(JobContext job) {
		}

	}

}
