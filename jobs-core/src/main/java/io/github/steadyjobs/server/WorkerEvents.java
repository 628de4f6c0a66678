package io.github.steadyjobs.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.steadyjobs.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events in order, on a thread of their own: listeners may be slow, and the
 * publisher may be a thread of the network. Thread safe.
 */
final class WorkerEvents implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WorkerEvents.class);

	private static final int PATIENCE_SECONDS = 3;

	private final Consumer<WorkerEvent> target;

	private final ExecutorService executor = Executors.newSingleThreadExecutor((task) -> {
		Thread thread = new Thread(task, "jobs-events");
		thread.setDaemon(true);
		return thread;
	});

	WorkerEvents(Consumer<WorkerEvent> target) {
		this.target = target;
	}

	void publish(WorkerEvent event) {
		try {
			this.executor.execute(() -> deliver(event));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("{} is not delivered, because the workers have stopped", event);
		}
	}

	private void deliver(WorkerEvent event) {
		try {
			this.target.accept(event);
		}
		catch (Throwable ex) {
			// Errors too: later events must be delivered.
			logger.warn("A listener failed on {}", event, ex);
		}
	}

	/**
	 * Deliver what was published before, and nothing after it.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				logger.warn("A listener of worker events is still busy after {} s", PATIENCE_SECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
