package io.github.steadyjobs.server;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs background tasks of the workers one after another and reports any exception they
 * throw, which an executor would swallow. Tasks that are submitted after the shutdown are
 * dropped. Thread safe.
 */
final class BackgroundThread extends ScheduledThreadPoolExecutor {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundThread.class);

	private final Consumer<Throwable> unexpected;

	/**
	 * Create a background thread. The thread is started by its first task.
	 * @param daemon whether the JVM may exit while the thread is alive
	 * @param unexpected called with each exception that a task throws, after the
	 * exception has been logged; not called with a {@link JobStoreException}, which only
	 * means that Redis is unavailable
	 */
	BackgroundThread(String name, boolean daemon, Consumer<Throwable> unexpected) {
		super(1, (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(daemon);
			return thread;
		}, (task, ended) -> logger.debug("Left undone, because the workers have ended"));
		this.unexpected = unexpected;
		setRemoveOnCancelPolicy(true);
	}

	/** Repeat a task with the same pause after each run, even if the task throws. */
	void repeat(Runnable task, long first, long pause, TimeUnit unit) {
		scheduleWithFixedDelay(() -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				// An uncaught exception would end the repetition.
				failed(ex);
			}
		}, first, pause, unit);
	}

	@Override
	protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
		Throwable failure = (task instanceof Future<?> future && future.isDone()) ? failureOf(future) : thrown;
		if (failure != null) {
			failed(failure);
		}
	}

	private void failed(Throwable failure) {
		if (failure instanceof JobStoreException) {
			logger.debug("Left for the next time", failure);
			return;
		}
		logger.error("A background task of the workers failed", failure);
		this.unexpected.accept(failure);
	}

	private static @Nullable Throwable failureOf(Future<?> done) {
		try {
			done.get();
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (CancellationException | InterruptedException ex) {
			// The thread is about to end.
		}
		return null;
	}

}
