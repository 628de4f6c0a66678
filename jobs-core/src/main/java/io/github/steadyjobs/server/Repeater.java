package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls to Redis and repeats them until they are answered. Also runs tasks after a
 * delay. Calls and tasks must not block. Thread safe.
 */
final class Repeater {

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(Repeater.class);

	private final ScheduledExecutorService scheduler;

	Repeater(ScheduledExecutorService scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Send a call, and repeat it until it is answered or the workers have ended. Jobs
	 * that are not settled by then stay recorded in Redis as held.
	 * @param answered called with the answer and whether the call was repeated
	 */
	<T> void send(Supplier<CompletableFuture<T>> call, BiConsumer<T, Boolean> answered) {
		send(call, answered, false);
	}

	/**
	 * Handle the answer to a call that was already sent. Repeat the call if it failed.
	 */
	<T> void sent(CompletableFuture<T> answer, Supplier<CompletableFuture<T>> call, BiConsumer<T, Boolean> answered) {
		sent(answer, call, answered, false);
	}

	private <T> void send(Supplier<CompletableFuture<T>> call, BiConsumer<T, Boolean> answered, boolean repeated) {
		CompletableFuture<T> answer;
		try {
			answer = call.get();
		}
		catch (Throwable ex) {
			// Errors are caught too; otherwise the jobs of the call would stay with this
			// process forever.
			answer = CompletableFuture.failedFuture(ex);
		}
		sent(answer, call, answered, repeated);
	}

	private <T> void sent(CompletableFuture<T> answer, Supplier<CompletableFuture<T>> call,
			BiConsumer<T, Boolean> answered, boolean repeated) {
		answer.whenComplete((value, failure) -> {
			if (failure == null) {
				answered.accept(value, repeated);
			}
			else {
				logger.debug("Jobs could not be settled, trying again", failure);
				later(() -> send(call, answered, true));
			}
		});
	}

	/** Run a task after a pause, unless the workers have ended by then. */
	void later(Runnable task) {
		long pause = PAUSE.toNanos();
		in(ThreadLocalRandom.current().nextLong(pause / 2, pause), task);
	}

	/** Run a task after a delay in nanoseconds, unless the workers have ended by then. */
	void in(long nanos, Runnable task) {
		this.scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
	}

}
