package io.github.steadyjobs.server;

import java.time.Duration;

/**
 * Counts jobs that have run and are not settled. Above a limit each of them keeps a
 * worker from taking another job: while Redis is away, what has to be settled must not
 * pile up. Thread safe.
 */
final class Backlog {

	private final int limit;

	private int size;

	private int held;

	private final Runnable release;

	/**
	 * Create a backlog.
	 * @param limit how many jobs may wait for being settled before workers are held
	 * @param release called for each held worker that may go on
	 */
	Backlog(int limit, Runnable release) {
		this.limit = limit;
		this.release = release;
	}

	synchronized void add() {
		this.size++;
	}

	/**
	 * Decide about the worker of a job that was added.
	 * @return whether the worker may go on; if not it is released later
	 */
	synchronized boolean mayGoOn() {
		if (this.size <= this.limit) {
			return true;
		}
		this.held++;
		return false;
	}

	void remove() {
		boolean goOn;
		synchronized (this) {
			this.size--;
			goOn = this.held > 0;
			if (goOn) {
				this.held--;
			}
			if (this.size == 0) {
				notifyAll();
			}
		}
		if (goOn) {
			this.release.run();
		}
	}

	synchronized boolean awaitEmpty(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (this.size > 0) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				return false;
			}
			wait(left);
		}
		return true;
	}

}
