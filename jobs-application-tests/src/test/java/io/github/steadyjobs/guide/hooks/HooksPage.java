package io.github.steadyjobs.guide.hooks;

import java.io.IOException;
import java.time.Clock;
import java.time.LocalTime;
import java.util.Optional;
import java.util.UUID;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.server.FetchFilter;
import io.github.steadyjobs.server.QueueSelector;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/**
 * Code of {@code docs/hooks.md}.
 */
class HooksPage {

	JsonMapper mapper;

	JobListener listener;

	Orders orders;

	@Component
	class RefusedRequests implements EnqueueListener {

		private final Alarms alarms;

		RefusedRequests(Alarms alarms) {
			this.alarms = alarms;
		}

		@Override
		public void refused(Requested job, @Nullable Throwable reason) {
			if (reason != null) {
				this.alarms.raise(job.name() + " was not enqueued in " + job.queue(), reason);
			}
		}

	}

	class Rescued implements EnqueueListener {

		Rescue rescue;

		@Override
		public void lost(Requested job, JobPayload payload, JobStoreException reason) {
			this.rescue.save(job.queue(), payload.json().toString(), reason instanceof JobStoreTimeoutException);
		}

	}

	@Component
	class ReportFailures implements JobListener {

		private final Reporter reporter;

		ReportFailures(Reporter reporter) {
			this.reporter = reporter;
		}

		@Override
		public void failed(@Nullable JobPayload job, Throwable failure) {
			this.reporter.report(failure, (job != null) ? job.id() : null);
		}

	}

	@Component
	class InvoiceJobs {

		private final Invoices invoices;

		InvoiceJobs(Invoices invoices) {
			this.invoices = invoices;
		}

		@Job(queue = "mail", retries = 10)
		void send(SendInvoice invoice) {
		}

		@RetriesExhausted
		void notSent(SendInvoice invoice, Throwable failure) {
			this.invoices.markUnsent(invoice.id(), failure.getMessage());
		}

	}

	@Component
	class TellOperators implements JobListener {

		private final Operators operators;

		TellOperators(Operators operators) {
			this.operators = operators;
		}

		@Override
		public void died(JobPayload job, Throwable reason) {
			this.operators.tell(job.name() + " " + job.id() + " is dead: " + reason);
		}

	}

	void testListener() throws Exception {
		JobPayload job = JobPayload.of((ObjectNode) mapper.readTree("""
				{"jid": "019b76daa800a51c2d3e4f50", "class": "InvoiceJobs.send", "args": [], "retry_count": 3}"""));
		listener.died(job, new IOException("no answer"));
	}

	@Job(retries = 3, dead = false)
	void refreshCache(String region) {
	}

	@Job
	void charge(UUID order) {
		Order found = this.orders.find(order).orElseThrow(() -> new DiscardJobException("the order is gone"));
		if (found.account().isClosed()) {
			throw new KillJobException("the account is closed");
		}
	}

	@Bean
	RetryDelay retryDelay() {
		return (count, job, failure) -> {
			if (failure instanceof EntityNotFoundException) {
				throw new DiscardJobException("nothing to work on", failure);
			}
			return RetryDelay.sidekiq().delay(count, job, failure);
		};
	}

	@Bean
	QueueSelector reportsAtNight(Clock clock) {
		return (capsule, queues) -> {
			boolean night = LocalTime.now(clock).getHour() < 6;
			return (night && queues.contains("reports")) ? "reports" : queues.get(0);
		};
	}

	@Bean
	FetchFilter whileThePartnerAnswers(PartnerStatus partner) {
		return (capsule, queue) -> !queue.equals("partner") || partner.isUp();
	}

	record SendInvoice(UUID id) {

	}

	record Order(Account account) {

	}

	record Account(boolean isClosed) {

	}

	interface Alarms {

		void raise(String message, Throwable reason);

	}

	interface Invoices {

		void markUnsent(UUID id, String reason);

	}

	interface Operators {

		void tell(String message);

	}

	interface Orders {

		Optional<Order> find(UUID id);

	}

	interface PartnerStatus {

		boolean isUp();

	}

	interface Reporter {

		void report(Throwable failure, @Nullable String id);

	}

	interface Rescue {

		void save(String queue, String payload, boolean mayBeStored);

	}

	static class EntityNotFoundException extends RuntimeException {

	}

}
