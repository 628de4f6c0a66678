package io.github.steadyjobs.benchmarks;

import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the numbered jobs that have run. Each number is counted only once, so that a job
 * that runs twice does not hide a job that was lost. Thread-safe.
 */
final class Runs {

	private final AtomicInteger executed = new AtomicInteger();

	private final AtomicInteger unique = new AtomicInteger();

	private volatile AtomicIntegerArray seen = new AtomicIntegerArray(0);

	private volatile long[] latencies = {};

	private volatile CountDownLatch complete = new CountDownLatch(0);

	private volatile long first;

	private volatile long half;

	private volatile long last;

	static long nowMicros() {
		Instant now = Instant.now();
		return now.getEpochSecond() * 1_000_000L + now.getNano() / 1000;
	}

	void expect(int count) {
		this.seen = new AtomicIntegerArray(count);
		this.latencies = new long[count];
		this.executed.set(0);
		this.unique.set(0);
		this.complete = new CountDownLatch(1);
	}

	void add(int number, long enqueuedAt) {
		long now = nowMicros();
		this.executed.incrementAndGet();
		if (number >= this.seen.length() || this.seen.getAndSet(number, 1) != 0) {
			return;
		}
		if (enqueuedAt > 0) {
			this.latencies[number] = now - enqueuedAt;
		}
		int count = this.unique.incrementAndGet();
		if (count == 1) {
			this.first = now;
		}
		if (count == this.seen.length() / 2) {
			this.half = now;
		}
		if (count == this.seen.length()) {
			this.last = now;
			this.complete.countDown();
		}
	}

	void await() throws InterruptedException {
		this.complete.await();
	}

	int executed() {
		return this.executed.get();
	}

	long firstMicros() {
		return this.first;
	}

	long halfMicros() {
		return this.half;
	}

	long lastMicros() {
		return this.last;
	}

	long perSecond() {
		return Math.round((this.seen.length() - 1) * 1e6 / Math.max(1, this.last - this.first));
	}

	long perSecondOfSecondHalf() {
		return Math.round(this.seen.length() / 2.0 * 1e6 / Math.max(1, this.last - this.half));
	}

	/**
	 * Return the latencies in the order of the jobs' numbers, in microseconds.
	 */
	long[] latencies() {
		return Arrays.copyOf(this.latencies, this.latencies.length);
	}

}
