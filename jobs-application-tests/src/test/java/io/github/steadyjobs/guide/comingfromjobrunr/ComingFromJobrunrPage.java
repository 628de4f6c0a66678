package io.github.steadyjobs.guide.comingfromjobrunr;

import java.time.Duration;
import java.util.UUID;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;

import org.springframework.stereotype.Service;

/**
 * Code of {@code docs/coming-from-jobrunr.md}.
 */
class ComingFromJobrunrPage {

	JobClient jobs;

	UUID id;

	void enqueue() {
		@Service
		class InvoiceService {

			@Job(retries = 3, tags = "outgoing")
			@NotIdempotent("a second mail does no harm")
			void send(UUID id, String template, JobContext context) {
			}

		}

		jobs.enqueue(InvoiceService.class, (invoices) -> invoices.send(id, "std", JobContext.none()));
		jobs.schedule(InvoiceService.class, (invoices) -> invoices.send(id, "std", JobContext.none()),
				Duration.ofHours(1));
	}

}
