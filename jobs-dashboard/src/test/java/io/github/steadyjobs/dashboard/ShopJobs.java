package io.github.steadyjobs.dashboard;

import java.math.BigDecimal;
import java.util.concurrent.CountDownLatch;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;

/**
 * Jobs of each kind that the pages show.
 */
class ShopJobs {

	private volatile CountDownLatch end = new CountDownLatch(1);

	/** End the jobs that are currently holding their workers. */
	void end() {
		CountDownLatch ended = this.end;
		this.end = new CountDownLatch(1);
		ended.countDown();
	}

	@Job(queue = "reports")
	@NotIdempotent("a test")
	void hold(String what) throws InterruptedException {
		this.end.await();
	}

	@Job(queue = "reports")
	@NotIdempotent("a test")
	@Recurring(cron = "0 0 3 * * *", zone = "Europe/Berlin")
	void nightly() {
	}

	@Job(queue = "mail")
	@NotIdempotent("a test")
	void refund(long order, BigDecimal amount) {
	}

	@Job(queue = "bills")
	@Idempotent(includeScheduled = true)
	void bill(String customer) {
	}

	@Job(queue = "orders")
	@Sequential(key = "#order", score = "#version", retries = 0)
	void ship(String order, int version) {
	}

}
