package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.ordered.Forms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts down a worker process. Running jobs have until the shutdown timeout to end. Jobs
 * that are still running are first put back at the head of their queue, or moved to the
 * dead set if they must not run twice, and then interrupted, so that no job is lost if
 * the process is killed in between. Ordered jobs are interrupted first, and put back
 * after their runs return. If a run does not return, other processes recover its job when
 * this process is gone. All steps after the timeout share one deadline, whether Redis
 * answers or not.
 */
final class Shutdown {

	/** Time for interrupted jobs to clean up, and for calls to Redis. */
	private static final long CLEAN_UP = Duration.ofSeconds(3).toNanos();

	private static final long LEAVE_AGAIN_AFTER = Duration.ofMillis(200).toNanos();

	private static final long LOOK_EVERY = Duration.ofMillis(5).toNanos();

	private static final Logger logger = LoggerFactory.getLogger(Shutdown.class);

	private final List<Manager> managers;

	private final Duration timeout;

	/**
	 * Create a shutdown.
	 * @param managers the managers of the capsules; they must no longer fetch
	 * @param timeout how long to wait for running jobs to end
	 */
	Shutdown(List<Manager> managers, Duration timeout) {
		this.managers = managers;
		this.timeout = timeout;
	}

	/**
	 * End all runs and settle them.
	 * @param leave removes this process from its queues
	 * @return the jobs that did not end in time
	 */
	List<UnitOfWork> run(Runnable leave) {
		awaitAll(Manager::isIdle, System.nanoTime() + this.timeout.toNanos());
		long deadline = System.nanoTime() + CLEAN_UP;
		List<UnitOfWork> unfinished = giveBackRunning();
		if (!unfinished.isEmpty()) {
			logger.warn("{} did not end within {} s and are put back, to run again elsewhere", unfinished,
					this.timeout.toSeconds());
			awaitAll((manager) -> manager.fetcher().isSettled(), deadline - CLEAN_UP * 2 / 3);
		}
		this.managers.forEach(Manager::interrupt);
		awaitAll(Manager::isIdle, deadline - CLEAN_UP / 3);
		awaitLeft(leave, deadline);
		return unfinished;
	}

	/**
	 * Give back the jobs that are still running. All jobs of a queue go back in one call,
	 * even if several capsules serve the queue, so that the oldest job comes first.
	 */
	private List<UnitOfWork> giveBackRunning() {
		List<UnitOfWork> unfinished = new ArrayList<>();
		Map<String, List<UnitOfWork>> byQueue = new TreeMap<>();
		for (Manager manager : this.managers) {
			for (UnitOfWork work : manager.running()) {
				unfinished.add(work);
				if (Forms.runsAlone(work.token().queue())) {
					// This job goes back after its run has returned.
					work.cutShort();
					continue;
				}
				work.giveBack();
				if (work.token().isOnce()) {
					manager.processor().buryCutShort(work);
				}
				else {
					byQueue.computeIfAbsent(work.token().queue(), (queue) -> new ArrayList<>()).add(work);
				}
			}
		}
		byQueue.values().forEach((works) -> this.managers.get(0).processor().release(works));
		return unfinished;
	}

	private void awaitAll(Predicate<Manager> condition, long deadline) {
		while (!this.managers.stream().allMatch(condition) && System.nanoTime() - deadline < 0
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(this, LOOK_EVERY);
		}
	}

	/** Leave on a separate thread, because answers may never arrive. */
	private static void awaitLeft(Runnable leave, long deadline) {
		CompletableFuture<Void> left = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				leave(leave, deadline - CLEAN_UP / 3);
				left.complete(null);
			}
			catch (Throwable ex) {
				left.completeExceptionally(ex);
			}
		}, "jobs-leave");
		thread.setDaemon(true);
		try {
			thread.start();
			left.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			String why = (ex.getCause() != null) ? ex.getCause().getMessage() : "it did not answer in time";
			logger.warn("Redis has not confirmed that this process has left its queues; what it held stays recorded "
					+ "there, and goes back when others find that it is gone: {}", why);
			logger.debug("Leaving failed", ex);
		}
	}

	/**
	 * Leave the queues, and retry after a failure, because a connection may have just
	 * broken. Leaving twice does no harm.
	 */
	private static void leave(Runnable leave, long latest) {
		while (true) {
			try {
				leave.run();
				return;
			}
			catch (JobStoreException ex) {
				if (System.nanoTime() - latest >= 0) {
					throw ex;
				}
				LockSupport.parkNanos(leave, LEAVE_AGAIN_AFTER);
			}
		}
	}

}
