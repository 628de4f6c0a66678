package io.github.steadyjobs.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What a fetcher waits for: free workers, and hints that there may be jobs. One thread
 * waits; any thread may release workers, hint or close.
 */
final class FetchGate {

	private final AtomicInteger free;

	private final Queue<String> hints = new ConcurrentLinkedQueue<>();

	private volatile boolean waitOver;

	private volatile boolean closed;

	private volatile @Nullable Thread sleeper;

	FetchGate(int workers) {
		this.free = new AtomicInteger(workers);
	}

	/**
	 * Take all free workers, waiting for the first one.
	 * @return how many, or 0 if the gate is closed or a hint has to be given back, as no
	 * worker is free to follow it
	 */
	int takeWorkers() {
		while (!this.closed) {
			int taken = this.free.getAndSet(0);
			if (taken > 0 || !this.hints.isEmpty()) {
				return taken;
			}
			sleep(Long.MAX_VALUE, () -> this.free.get() == 0 && this.hints.isEmpty());
			yieldToWorkers();
		}
		return 0;
	}

	/**
	 * Where jobs are short, other workers are about to be free as well, and one claim for
	 * all of them costs little more than one for the first.
	 */
	private void yieldToWorkers() {
		int before;
		do {
			before = this.free.get();
			Thread.yield();
		}
		while (this.free.get() > before);
	}

	boolean hasFreeWorkers() {
		return this.free.get() > 0;
	}

	void releaseWorkers(int count) {
		if (count > 0) {
			this.free.addAndGet(count);
			wake();
		}
	}

	/**
	 * Take a hint: the name of a queue to look at, {@code null} if a wait ended without
	 * any.
	 */
	void hint(@Nullable String queue) {
		if (queue != null) {
			this.hints.add(queue);
		}
		this.waitOver = true;
		wake();
	}

	@Nullable String nextHint() {
		return this.hints.poll();
	}

	/**
	 * Wait for a hint, the end of a wait for one, or a time.
	 */
	void awaitHint(long nanos) {
		sleep(nanos, () -> this.hints.isEmpty() && !this.waitOver);
		this.waitOver = false;
	}

	/**
	 * Wait for a time, or until the gate is closed.
	 */
	void pause(long nanos) {
		long deadline = System.nanoTime() + nanos;
		long left = nanos;
		while (left > 0 && !this.closed) {
			sleep(left, () -> true);
			left = deadline - System.nanoTime();
		}
	}

	void close() {
		this.closed = true;
		wake();
	}

	boolean isClosed() {
		return this.closed;
	}

	private void sleep(long nanos, BooleanSupplier condition) {
		this.sleeper = Thread.currentThread();
		try {
			// Asked after announcing the sleep, so that no change goes unnoticed.
			if (!this.closed && condition.getAsBoolean()) {
				LockSupport.parkNanos(this, Math.min(nanos, TimeUnit.HOURS.toNanos(1)));
			}
		}
		finally {
			this.sleeper = null;
		}
	}

	private void wake() {
		Thread thread = this.sleeper;
		if (thread != null) {
			LockSupport.unpark(thread);
		}
	}

}
