package io.github.steadyjobs.redis;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Postpones interrupts of the current thread while it does something that cannot be done
 * later, such as storing the jobs of a transaction that has committed.
 */
public final class Interrupts {

	private static final ThreadLocal<@Nullable Interrupts> postponing = new ThreadLocal<>();

	private boolean happened;

	private Interrupts() {
	}

	/**
	 * Run something whose waits end only with an answer or their own timeout, not with an
	 * interrupt. A thread that is interrupted before or meanwhile is interrupted again
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

	/** Return, in a wait that was interrupted, whether to continue waiting. */
	static boolean arePostponed() {
		Interrupts interrupts = postponing.get();
		if (interrupts != null) {
			interrupts.happened = true;
		}
		return interrupts != null;
	}

	/**
	 * Wait like {@link Future#get(long, TimeUnit)}, and continue after an interrupt that
	 * is postponed.
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
