package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events in order, first to the listeners in this library and then to the
 * application. Events are not delivered on the publisher's thread, which may be a network
 * thread, because listeners may be slow. The library and the application have a thread
 * each, so that the application does not hold up the library. Thread safe.
 */
final class WorkerEvents implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WorkerEvents.class);

	private static final int PATIENCE_SECONDS = 3;

	/**
	 * The maximum number of waiting events: more than an hour of heartbeats. The limit
	 * keeps a listener that never returns from filling up the memory.
	 */
	private static final int MOST_WAITING = 1000;

	private final List<WorkerEvent.Listener> parts;

	private final WorkerEvent.Listener application;

	private final ExecutorService ofParts = thread("jobs-events", Integer.MAX_VALUE);

	private final ExecutorService ofApplication = thread("jobs-listeners", MOST_WAITING);

	private final AtomicBoolean dropping = new AtomicBoolean();

	/**
	 * Create an instance.
	 * @param parts the listeners in this library
	 * @param application the listener of the application, which is notified last
	 */
	WorkerEvents(List<WorkerEvent.Listener> parts, WorkerEvent.Listener application) {
		this.parts = new ArrayList<>(parts);
		this.application = application;
	}

	private static ExecutorService thread(String name, int capacity) {
		return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		});
	}

	void publish(WorkerEvent event) {
		try {
			this.ofParts.execute(() -> deliver(event));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("{} is not delivered, because the workers have stopped", event);
		}
	}

	private void deliver(WorkerEvent event) {
		this.parts.forEach((part) -> deliver(event, part));
		try {
			this.ofApplication.execute(() -> deliver(event, this.application));
			this.dropping.set(false);
		}
		catch (RejectedExecutionException ex) {
			if (!this.dropping.getAndSet(true)) {
				logger.warn("Listeners of worker events are busy with an earlier one, and {} more wait. {} and those "
						+ "that follow are not delivered until they continue", MOST_WAITING, event);
			}
		}
	}

	private static void deliver(WorkerEvent event, WorkerEvent.Listener listener) {
		try {
			listener.told(event);
		}
		catch (Throwable ex) {
			// Errors are caught too, because later events must be delivered.
			logger.warn("A listener failed on {}", event, ex);
		}
	}

	/** Allow a few seconds to deliver earlier events. Later events are dropped. */
	@Override
	public void close() {
		close(this.ofParts);
		close(this.ofApplication);
	}

	private static void close(ExecutorService executor) {
		executor.shutdown();
		try {
			if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				logger.warn("A listener of worker events is still busy after {} s", PATIENCE_SECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
