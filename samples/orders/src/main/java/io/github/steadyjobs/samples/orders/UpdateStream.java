package io.github.steadyjobs.samples.orders;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.samples.orders.Event.Kind;
import io.github.steadyjobs.samples.orders.Event.Lane;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Sends updates in bursts. Each burst is shuffled, as if several systems had sent updates
 * at the same time. Twice during a stream, the workers are stopped and started.
 */
@Component
class UpdateStream implements DisposableBean {

	private static final int ORDERS_PER_BURST = 10;

	private static final int UPDATES_PER_ORDER = 6;

	private static final Logger logger = LoggerFactory.getLogger(UpdateStream.class);

	private final OrdersProperties properties;

	private final JobClient jobs;

	private final Ledger ledger;

	private final Workers workers;

	private @Nullable Thread sender;

	UpdateStream(OrdersProperties properties, JobClient jobs, Ledger ledger, Workers workers) {
		this.properties = properties;
		this.jobs = jobs;
		this.ledger = ledger;
		this.workers = workers;
	}

	@EventListener(ApplicationReadyEvent.class)
	void beginAtStart() {
		if (this.properties.stream()) {
			begin();
		}
	}

	/**
	 * Send a stream in the background.
	 * @return false if a stream is already being sent
	 */
	synchronized boolean begin() {
		if (this.sender != null && this.sender.isAlive()) {
			return false;
		}
		this.sender = new Thread(this::send, "update-stream");
		this.sender.start();
		return true;
	}

	private void send() {
		long stream = this.ledger
			.begin(Event.of(Kind.BEGUN, Lane.ORDERED, this.properties.orders(), this.properties.versions()));
		int total = this.properties.orders() * this.properties.versions();
		int[] sent = new int[this.properties.orders()];
		int before = 0;
		try {
			while (before < total) {
				send(burst(stream, sent));
				int now = Arrays.stream(sent).sum();
				if (before * 3 / total < now * 3 / total && now < total) {
					this.workers.restart();
				}
				before = now;
				Thread.sleep(this.properties.pause().toMillis());
			}
			logger.info("All {} updates of stream {} are sent", total, stream);
		}
		catch (InterruptedException ex) {
			logger.info("Stream {} ends early, because the application is stopping", stream);
		}
	}

	/**
	 * Return the next few updates for some orders, shuffled.
	 */
	private List<OrderUpdate> burst(long stream, int[] sent) {
		List<Integer> orders = new ArrayList<>(IntStream.range(0, sent.length)
			.filter((order) -> sent[order] < this.properties.versions())
			.boxed()
			.toList());
		Collections.shuffle(orders);
		List<OrderUpdate> burst = new ArrayList<>();
		for (int order : orders.subList(0, Math.min(ORDERS_PER_BURST, orders.size()))) {
			int updates = ThreadLocalRandom.current().nextInt(1, UPDATES_PER_ORDER + 1);
			for (int i = 0; i < updates && sent[order] < this.properties.versions(); i++) {
				burst.add(new OrderUpdate(stream, order + 1, ++sent[order]));
			}
		}
		Collections.shuffle(burst);
		return burst;
	}

	private void send(List<OrderUpdate> burst) {
		// Record the events first, because workers may run the jobs immediately.
		add(burst, Kind.SENT, Lane.ORDERED);
		add(burst, Kind.SENT, Lane.PLAIN);
		// Enqueue in one call, so that Redis gets all updates of an order together.
		List<EnqueueResult> results = this.jobs.enqueueAll(burst.stream().map(UpdateStream::ordered).toList());
		List<OrderUpdate> merged = IntStream.range(0, burst.size())
			.filter((i) -> results.get(i) instanceof EnqueueResult.Merged)
			.mapToObj(burst::get)
			.toList();
		add(merged, Kind.MERGED, Lane.ORDERED);
		this.jobs.enqueueAll(burst.stream().map(UpdateStream::plain).toList());
	}

	private static JobRequest ordered(OrderUpdate update) {
		return JobRequest.of(OrderJobs.class, (jobs) -> jobs.apply(update, JobContext.none()));
	}

	private static JobRequest plain(OrderUpdate update) {
		return JobRequest.of(OrderJobs.class, (jobs) -> jobs.applyInAnyOrder(update, JobContext.none()));
	}

	private void add(List<OrderUpdate> updates, Kind kind, Lane lane) {
		if (!updates.isEmpty()) {
			this.ledger.add(updates.get(0).stream(),
					updates.stream()
						.map((update) -> Event.of(kind, lane, update.order(), update.version()))
						.toArray(Event[]::new));
		}
	}

	@Override
	public synchronized void destroy() throws InterruptedException {
		if (this.sender != null) {
			this.sender.interrupt();
			this.sender.join();
		}
	}

}
