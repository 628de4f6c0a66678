package io.github.steadyjobs.samples.orders;

import java.util.concurrent.ThreadLocalRandom;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.samples.orders.Event.Kind;
import io.github.steadyjobs.samples.orders.Event.Lane;

import org.springframework.stereotype.Component;

/**
 * Applies each update twice: with an ordered job and, for comparison, with a plain job.
 * Applying an update means adding an event to the {@link Ledger}. This operation is not
 * idempotent and does not check versions, so the ledger shows what really happened.
 */
@Component
class OrderJobs {

	private final Ledger ledger;

	private final OrdersProperties properties;

	OrderJobs(Ledger ledger, OrdersProperties properties) {
		this.ledger = ledger;
		this.properties = properties;
	}

	/**
	 * Apply an update. Called once for each waiting update of the order, lowest version
	 * first. If an update fails, it and the following updates are retried in the same
	 * order.
	 */
	@Job
	@Sequential(key = "#update.stream + '-' + #update.order", score = "#update.version")
	void apply(OrderUpdate update, JobContext job) throws InterruptedException {
		apply(Lane.ORDERED, update, job);
	}

	/**
	 * Apply an update regardless of other updates.
	 */
	@Job(queue = "plain")
	@NotIdempotent("a second run is counted and shown")
	void applyInAnyOrder(OrderUpdate update, JobContext job) throws InterruptedException {
		apply(Lane.PLAIN, update, job);
	}

	private void apply(Lane lane, OrderUpdate update, JobContext job) throws InterruptedException {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		double fate = random.nextDouble();
		try {
			Thread.sleep(random.nextLong(this.properties.work().toMillis() + 1));
			// Half of the failures occur before the update is applied, and half after it.
			if (fate >= this.properties.failures() / 2) {
				add(Kind.APPLIED, lane, update, job);
			}
			if (fate < this.properties.failures()) {
				add(Kind.FAILED, lane, update, job);
				throw new IllegalStateException("Planned failure of version " + update.version());
			}
		}
		catch (InterruptedException ex) {
			add(Kind.PUT_BACK, lane, update, job);
			throw ex;
		}
	}

	private void add(Kind kind, Lane lane, OrderUpdate update, JobContext job) {
		String run = job.id() + "/" + job.fencingToken();
		this.ledger.add(update.stream(), new Event(kind, lane, update.order(), update.version(), run, job.attempt()));
	}

}
