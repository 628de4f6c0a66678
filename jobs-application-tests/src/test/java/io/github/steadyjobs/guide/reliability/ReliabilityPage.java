package io.github.steadyjobs.guide.reliability;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.JobAudit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Code of {@code docs/reliability.md}.
 */
class ReliabilityPage {

	private static final Logger log = LoggerFactory.getLogger(ReliabilityPage.class);

	JobClient jobs;

	JobAudit audit;

	Orders orders;

	UUID id;

	@Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
	void enqueueUnconfirmed() {
		this.orders.findUnconfirmedBefore(Instant.now().minus(Duration.ofMinutes(30)))
			.forEach((order) -> this.jobs.enqueue(new ConfirmOrder(order.id())));
	}

	void durability() {
		EnqueueResult result = jobs.enqueue(JobRequest.of(new Pay(id)).durability(Durability.REPLICATED));
		result.durability();
		result.orElseThrow(Durability.REPLICATED);
	}

	void audit() {
		AuditReport report = audit.run();
		report.violations();
		if (!report.isClean()) {
			audit.repair(report)
				.left()
				.forEach((violation) -> log.warn("{}: {}", violation, violation.kind().remedy()));
			report = audit.run();
		}
	}

	record Order(UUID id) {

	}

	record ConfirmOrder(UUID order) {

	}

	record Pay(UUID order) {

	}

	interface Orders {

		List<Order> findUnconfirmedBefore(Instant time);

	}

}
