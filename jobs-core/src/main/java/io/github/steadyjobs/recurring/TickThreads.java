package io.github.steadyjobs.recurring;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a {@link Ticker}, which survive whatever is thrown. Thread safe.
 */
final class TickThreads {

	/** So many queues may have ticks at once, or be on nodes that do not answer. */
	private static final int MOST = 8;

	private static final int IDLE_SECONDS = 10;

	private static final Logger logger = LoggerFactory.getLogger(TickThreads.class);

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(MOST, (task) -> {
		Thread thread = new Thread(task, "jobs-ticker");
		thread.setDaemon(true);
		return thread;
	});

	private final Runnable onFailure;

	private final Consumer<Throwable> unexpected;

	/**
	 * Create threads.
	 * @param onFailure is run once a task has failed
	 * @param unexpected gets failures that have nothing to do with Redis being away
	 */
	TickThreads(Runnable onFailure, Consumer<Throwable> unexpected) {
		this.onFailure = onFailure;
		this.unexpected = unexpected;
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	void execute(Runnable task) {
		schedule(task, 0);
	}

	/**
	 * Run a task later.
	 * @return {@code null} if it never runs, because the workers stop
	 */
	@Nullable ScheduledFuture<?> schedule(Runnable task, long nanos) {
		try {
			return this.executor.schedule(() -> attempt(task), nanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Recurring jobs are left to others, because the workers stop");
			return null;
		}
	}

	private void attempt(Runnable task) {
		try {
			task.run();
		}
		catch (JobStoreException ex) {
			this.onFailure.run();
			logger.debug("Recurring jobs are left for the next heartbeat", ex);
		}
		catch (Throwable ex) {
			this.onFailure.run();
			logger.error("Recurring jobs cannot be handled, trying again with the next heartbeat", ex);
			this.unexpected.accept(ex);
		}
	}

	/**
	 * Take no more tasks, and wait for those that are there, for a second at most: only
	 * the process that handled a tick publishes its event.
	 */
	void close() {
		this.executor.shutdown();
		try {
			this.executor.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.executor.shutdownNow();
	}

}
