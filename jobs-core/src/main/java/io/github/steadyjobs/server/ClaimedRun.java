package io.github.steadyjobs.server;

import org.jspecify.annotations.Nullable;

/**
 * The run of a claimed job. It is either begun or given back before it has begun, never
 * both. A run that has begun may be given back while it goes on. Thread safe.
 */
abstract class ClaimedRun {

	private final Object lock;

	private boolean begun;

	private volatile boolean cutShort;

	private volatile boolean givenBack;

	private @Nullable Thread runner;

	private volatile boolean cancelled;

	/**
	 * Create a run.
	 * @param lock what to synchronise on. Not the run itself: it is the context of the
	 * job, which could lock it too
	 */
	ClaimedRun(Object lock) {
		this.lock = lock;
	}

	/**
	 * Run on the current thread from now on, unless the job was given back.
	 * @return whether it may run
	 */
	boolean begin() {
		synchronized (this.lock) {
			if (this.givenBack) {
				return false;
			}
			this.begun = true;
			this.runner = Thread.currentThread();
			if (this.cancelled) {
				this.runner.interrupt();
			}
			return true;
		}
	}

	/**
	 * Note that the run has ended: an interrupt meant for it must not hit the next one.
	 */
	void end() {
		synchronized (this.lock) {
			this.runner = null;
			Thread.interrupted();
		}
	}

	/**
	 * Interrupt the run, if it is under way.
	 */
	void interrupt() {
		synchronized (this.lock) {
			if (this.runner != null) {
				this.runner.interrupt();
			}
		}
	}

	/**
	 * Let the job go back to its queue, unless it has begun. It cannot begin any more.
	 * @return whether it had neither begun nor been given back
	 */
	boolean giveBackUnbegun() {
		synchronized (this.lock) {
			if (this.begun || this.givenBack) {
				return false;
			}
			this.givenBack = true;
			return true;
		}
	}

	/**
	 * Let the job go back to its queue, even if it has begun. Nothing is settled then
	 * when the run ends.
	 */
	void giveBack() {
		synchronized (this.lock) {
			this.givenBack = true;
		}
	}

	boolean isGivenBack() {
		return this.givenBack;
	}

	/**
	 * Let the run of an ordered job end as soon as it can, because the process stops.
	 */
	void cutShort() {
		this.cutShort = true;
	}

	boolean isCutShort() {
		return this.cutShort;
	}

	/**
	 * Interrupt the run, once it is under way, because the job was cancelled.
	 */
	void cancelRun() {
		synchronized (this.lock) {
			if (!this.cancelled) {
				this.cancelled = true;
				interrupt();
			}
		}
	}

	boolean isRunCancelled() {
		return this.cancelled;
	}

}
