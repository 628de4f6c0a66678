package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls to Redis, repeats them after a pause, and runs what has to be done later.
 * Nothing that it runs may block. Thread safe.
 */
final class Repeater {

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(Repeater.class);

	private final ScheduledExecutorService scheduler;

	Repeater(ScheduledExecutorService scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Send a call. Whatever goes wrong becomes its answer, which then fails.
	 */
	<T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> call) {
		try {
			return call.get();
		}
		catch (Throwable ex) {
			// Errors too: the jobs of the call would stay with this process for ever.
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Repeat a call after a pause, unless the workers have ended by then: what is not
	 * settled stays recorded in Redis.
	 */
	void later(Runnable call) {
		long pause = PAUSE.toNanos();
		in(ThreadLocalRandom.current().nextLong(pause / 2, pause), call);
	}

	/**
	 * Run a task in so many nanoseconds, unless the workers have ended by then.
	 */
	void in(long nanos, Runnable task) {
		try {
			this.scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Not done any more, because the workers have ended");
		}
	}

}
