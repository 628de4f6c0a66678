package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the last steps of a shutdown, which must not take longer than the platform waits,
 * even if Redis does not answer.
 */
final class Bounded {

	private static final Logger logger = LoggerFactory.getLogger(Bounded.class);

	private Bounded() {
	}

	static void run(String what, Duration limit, Runnable step) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				step.run();
				done.complete(null);
			}
			catch (Throwable ex) {
				done.completeExceptionally(ex);
			}
		}, "jobs-shutdown-step");
		thread.setDaemon(true);
		thread.start();
		try {
			done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("{} was not confirmed by Redis; what this process held stays recorded there", what, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
