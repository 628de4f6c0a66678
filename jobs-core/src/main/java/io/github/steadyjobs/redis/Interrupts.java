package io.github.steadyjobs.redis;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Postpones interrupts of the current thread during work that cannot be done later, such
 * as storing the jobs of a transaction that has committed.
 */
public final class Interrupts {

	private static final ThreadLocal<@Nullable Interrupts> postponing = new ThreadLocal<>();

	private boolean happened;

	private Interrupts() {
	}

	/**
	 * Run work whose waits end only with an answer or a timeout, not with an interrupt.
	 * If the thread is interrupted before or during the work, it is interrupted again
	 * afterwards.
	 */
	public static <T> T postpone(Supplier<T> work) {
		if (postponing.get() != null) {
			return work.get();
		}
		Interrupts interrupts = new Interrupts();
		interrupts.happened = Thread.interrupted();
		postponing.set(interrupts);
		try {
			return work.get();
		}
		finally {
			postponing.remove();
			if (interrupts.happened) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Record that a wait was interrupted. Return whether interrupts are postponed, so
	 * that the wait must continue.
	 */
	static boolean arePostponed() {
		Interrupts interrupts = postponing.get();
		if (interrupts != null) {
			interrupts.happened = true;
		}
		return interrupts != null;
	}

	/**
	 * Wait like {@link Future#get(long, TimeUnit)}, but continue after an interrupt if
	 * interrupts are postponed.
	 */
	static <T> T get(Future<T> future, long nanos) throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = System.nanoTime() + nanos;
		while (true) {
			try {
				return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				if (!arePostponed()) {
					throw ex;
				}
			}
		}
	}

}
