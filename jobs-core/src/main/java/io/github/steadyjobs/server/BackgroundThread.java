package io.github.steadyjobs.server;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks of the workers one after another, and passes on what they throw, which an
 * executor would swallow. Thread safe.
 */
final class BackgroundThread extends ScheduledThreadPoolExecutor {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundThread.class);

	private final Consumer<Throwable> unexpected;

	/**
	 * Create a thread, which starts with its first task.
	 * @param daemon whether the process may end while the thread exists
	 * @param unexpected takes what tasks throw, after it was logged
	 */
	BackgroundThread(String name, boolean daemon, Consumer<Throwable> unexpected) {
		super(1, (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(daemon);
			return thread;
		});
		this.unexpected = unexpected;
		setRemoveOnCancelPolicy(true);
	}

	@Override
	protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
		Throwable failure = (task instanceof Future<?> future && future.isDone()) ? failureOf(future) : thrown;
		if (failure != null) {
			logger.error("A background task of the workers failed", failure);
			this.unexpected.accept(failure);
		}
	}

	private static @Nullable Throwable failureOf(Future<?> done) {
		try {
			done.get();
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (CancellationException | InterruptedException ex) {
			// The thread is to end.
		}
		return null;
	}

}
