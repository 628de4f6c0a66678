package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The jobs of a capsule that were claimed and have not begun, on their way to the
 * workers. Also knows those that have begun and not ended. Thread safe.
 */
final class WorkQueue {

	/** No more jobs than this run twice if this process dies. */
	private static final int MOST_UNSETTLED = 500;

	private final int concurrency;

	private final LinkedBlockingQueue<UnitOfWork> waiting = new LinkedBlockingQueue<>();

	/** What was claimed and has neither ended nor been given back. */
	private final Set<UnitOfWork> claimed = ConcurrentHashMap.newKeySet();

	private final AtomicLong begun = new AtomicLong();

	private final ClaimAhead ahead;

	private final Consumer<UnitOfWork> keeper;

	private volatile int low;

	/**
	 * Create a queue.
	 * @param keeper takes over what is given back, before this queue forgets it
	 */
	WorkQueue(int concurrency, ClaimAhead ahead, Consumer<UnitOfWork> keeper) {
		this.concurrency = concurrency;
		this.ahead = ahead;
		this.keeper = keeper;
	}

	/**
	 * Add jobs, at least one. Called in the loop of the fetcher.
	 */
	void add(List<UnitOfWork> works) {
		this.ahead.claimed(works);
		this.claimed.addAll(works);
		this.waiting.addAll(works);
	}

	/**
	 * Wait for the next job. The caller either {@linkplain #begin begins} it or
	 * {@linkplain #giveBack gives it back}, and calls {@link #ended} in either case.
	 */
	UnitOfWork take() throws InterruptedException {
		return this.waiting.take();
	}

	/**
	 * Take out jobs that have not begun. No worker can begin them any more.
	 * @return the jobs, in the order in which they were claimed
	 */
	List<UnitOfWork> removeIf(Predicate<UnitOfWork> condition) {
		List<UnitOfWork> removed = new ArrayList<>();
		// A worker that takes one meanwhile finds that it must not begin it.
		this.waiting.removeIf((work) -> condition.test(work) && giveBack(work) && removed.add(work));
		return removed;
	}

	/**
	 * Forget jobs that have not begun and no longer belong to this process.
	 */
	void forget(Predicate<UnitOfWork> condition) {
		this.waiting.removeIf((work) -> condition.test(work) && work.giveBackUnbegun() && this.claimed.remove(work));
	}

	/**
	 * No longer count a job as claimed, unless it has begun or another thread has given
	 * it back.
	 * @return whether the caller has to give it back to its queue
	 */
	boolean giveBack(UnitOfWork work) {
		boolean first = work.giveBackUnbegun();
		if (first) {
			this.keeper.accept(work);
			this.claimed.remove(work);
		}
		return first;
	}

	/**
	 * Begin a job on the current thread, unless it was given back.
	 * @return whether it may run
	 */
	boolean begin(UnitOfWork work) {
		boolean may = work.begin();
		if (may) {
			this.begun.incrementAndGet();
		}
		return may;
	}

	/**
	 * Note that a worker is through with a job. What has to be settled of it is in the
	 * hands of {@link Settlements} by now.
	 */
	void ended(UnitOfWork work) {
		this.claimed.remove(work);
	}

	/**
	 * Return whether all that was claimed has begun.
	 */
	boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	/**
	 * Return whether so few jobs wait that more should be claimed, or none at all.
	 */
	boolean isLow() {
		return this.waiting.size() <= this.low || hasFreeWorker();
	}

	/**
	 * Return whether a worker has no job, and none of those that wait is for it. Even a
	 * job whose worker is about to take it waits for a moment.
	 */
	boolean hasFreeWorker() {
		return this.claimed.size() < this.concurrency;
	}

	void setLow(int low) {
		this.low = low;
	}

	/**
	 * Return how many jobs may be claimed beyond the free workers. Called in the loop of
	 * the fetcher.
	 */
	int ahead(long now) {
		return this.ahead.allowed(now, this.begun.get(), waited(now));
	}

	private long waited(long now) {
		UnitOfWork next = this.waiting.peek();
		return (next != null) ? now - next.arrivedAt() : 0;
	}

	/**
	 * Return how long it takes until a job that was claimed ahead has waited too long.
	 * @return nanoseconds, negative if the time has passed
	 */
	long untilLate(long now) {
		boolean isAhead = this.claimed.size() > this.concurrency;
		return isAhead ? this.ahead.longestWait() - waited(now) : Long.MAX_VALUE;
	}

	/**
	 * Take out all jobs, because the first one has waited too long, so that other
	 * processes run them. Those behind it would follow within moments, and end up in
	 * front of it. Called in the loop of the fetcher.
	 */
	List<UnitOfWork> removeLate(long now) {
		pauseAhead(now);
		return removeIf((work) -> true);
	}

	/**
	 * Allow nothing to be claimed ahead for a while.
	 */
	void pauseAhead(long now) {
		this.ahead.pause(now);
	}

	/**
	 * Return what was claimed and has neither ended nor been given back.
	 */
	Set<UnitOfWork> claimed() {
		return this.claimed;
	}

	/**
	 * Return how many jobs have begun since the start.
	 */
	long begun() {
		return this.begun.get();
	}

	/**
	 * Return how many more jobs there is a worker for, negative if there are too many.
	 * @param unsettled how many jobs have ended without Redis knowing: above a limit each
	 * of them keeps a worker from taking another, or they would pile up while Redis is
	 * away
	 * @param ahead how many jobs may be claimed ahead
	 */
	int room(int unsettled, int ahead) {
		int limit = Math.min(2 * (this.concurrency + ahead), MOST_UNSETTLED);
		return this.concurrency - this.claimed.size() - Math.max(0, unsettled - limit);
	}

}
