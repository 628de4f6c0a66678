package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The claimed jobs of a capsule that are waiting for a worker. Also keeps track of jobs
 * that have begun but not ended. Thread safe.
 */
final class WorkQueue {

	/**
	 * If Redis has not confirmed the end of more jobs than this, fewer jobs are claimed,
	 * because all of these jobs run again if this process dies.
	 */
	private static final int MOST_UNSETTLED = 500;

	private final int concurrency;

	/**
	 * The jobs of each run that waits for a worker, usually one job. Those that were
	 * given back in the meantime are left out when the run begins.
	 */
	private final LinkedBlockingQueue<List<UnitOfWork>> waiting = new LinkedBlockingQueue<>();

	/** The number of runs that are waiting or have begun. */
	private final AtomicInteger runs = new AtomicInteger();

	/** Jobs that were claimed and have neither ended nor been given back. */
	private final Set<JobToken> claimed = ConcurrentHashMap.newKeySet();

	private final AtomicLong begun = new AtomicLong();

	private final ClaimAhead ahead;

	private final Consumer<UnitOfWork> keeper;

	private volatile int low;

	/**
	 * Create a queue.
	 * @param keeper called with each job that is given back, before this queue forgets it
	 */
	WorkQueue(int concurrency, ClaimAhead ahead, Consumer<UnitOfWork> keeper) {
		this.concurrency = concurrency;
		this.ahead = ahead;
		this.keeper = keeper;
	}

	/**
	 * Add one or more jobs of the same queue. Called in the loop of the fetcher.
	 * @param together the maximum number of these jobs in one run
	 */
	void add(List<UnitOfWork> works, int together) {
		this.ahead.claimed(works);
		works.forEach((work) -> this.claimed.add(work.token()));
		for (int from = 0; from < works.size(); from += together) {
			this.runs.incrementAndGet();
			this.waiting.add(works.subList(from, Math.min(from + together, works.size())));
		}
	}

	/**
	 * Wait for the jobs of the next run. The caller must either {@linkplain #begin begin}
	 * the jobs or {@linkplain #giveBack give them back}, and call {@link #ended} in
	 * either case.
	 */
	List<UnitOfWork> take() throws InterruptedException {
		return this.waiting.take();
	}

	/**
	 * Remove jobs that have not begun, so that no worker can begin them.
	 * @return the jobs, in the order in which they were claimed
	 */
	List<UnitOfWork> removeIf(Predicate<UnitOfWork> condition) {
		return remove(condition.and(this::giveBack));
	}

	private List<UnitOfWork> remove(Predicate<UnitOfWork> givenBack) {
		List<UnitOfWork> removed = new ArrayList<>();
		for (List<UnitOfWork> run : this.waiting) {
			// If a worker takes this run at the same time, the worker will find that
			// these jobs were given back.
			run.stream().filter(givenBack).forEach(removed::add);
			if (run.stream().allMatch(UnitOfWork::isGivenBack) && this.waiting.remove(run)) {
				this.runs.decrementAndGet();
			}
		}
		return removed;
	}

	/** Forget jobs that have not begun and no longer belong to this process. */
	void forget(Predicate<UnitOfWork> condition) {
		remove(condition.and((work) -> work.giveBackUnbegun() && this.claimed.remove(work.token())));
	}

	/**
	 * Stop counting a job as claimed, unless it has begun or another thread has given it
	 * back.
	 * @return whether the caller must give the job back to its queue
	 */
	boolean giveBack(UnitOfWork work) {
		boolean first = work.giveBackUnbegun();
		if (first) {
			this.keeper.accept(work);
			this.claimed.remove(work.token());
		}
		return first;
	}

	/**
	 * Begin jobs on the current thread. Removes those that were given back from the list.
	 */
	void begin(List<UnitOfWork> works) {
		works.removeIf((work) -> !work.begin());
		if (!works.isEmpty()) {
			this.begun.incrementAndGet();
		}
	}

	/**
	 * Record that a worker has finished the jobs that it took. From now on,
	 * {@link Settlements} is responsible for these jobs.
	 */
	void ended(List<UnitOfWork> works) {
		for (UnitOfWork work : works) {
			this.claimed.remove(work.token());
		}
		this.runs.decrementAndGet();
	}

	/** Return whether all claimed jobs have begun. */
	boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	/** Return whether so few runs are waiting that more should be claimed. */
	boolean isLow() {
		return this.waiting.size() <= this.low || hasFreeWorker();
	}

	/**
	 * Return whether there are more idle workers than waiting runs. A run that a worker
	 * is about to take still counts as waiting.
	 */
	boolean hasFreeWorker() {
		return this.runs.get() < this.concurrency;
	}

	void setLow(int low) {
		this.low = low;
	}

	/**
	 * Return how many runs may be claimed in addition to the runs for free workers.
	 * Called in the loop of the fetcher.
	 */
	int ahead(long now) {
		return this.ahead.allowed(now, this.begun.get(), waited(now));
	}

	private long waited(long now) {
		List<UnitOfWork> next = this.waiting.peek();
		return (next != null) ? now - next.get(0).arrivedAt() : 0;
	}

	/**
	 * Return how much longer the next job may wait, if jobs were claimed ahead.
	 * @return the duration in nanoseconds: negative if the job has waited too long, and
	 * {@link Long#MAX_VALUE} if no jobs were claimed ahead
	 */
	long untilLate(long now) {
		boolean isAhead = this.runs.get() > this.concurrency;
		return isAhead ? this.ahead.longestWait() - waited(now) : Long.MAX_VALUE;
	}

	/**
	 * Remove all waiting jobs, because the first of them has waited too long. If only the
	 * first job were given back, the later jobs would follow within moments and would be
	 * put in front of it. Called in the loop of the fetcher.
	 */
	List<UnitOfWork> removeLate(long now) {
		pauseAhead(now);
		return removeIf((work) -> true);
	}

	/** Stop claiming ahead for a while. */
	void pauseAhead(long now) {
		this.ahead.pause(now);
	}

	/** Return the tokens of claimed jobs that have neither ended nor been given back. */
	Set<JobToken> claimed() {
		return this.claimed;
	}

	/** Return how many runs have begun since the start. */
	long begun() {
		return this.begun.get();
	}

	/**
	 * Return how many more runs free workers can take; negative if there are too many.
	 * @param unsettled the number of jobs whose end Redis has not confirmed. Above a
	 * limit, each such job takes up the room of a worker; otherwise such jobs would pile
	 * up while Redis is unavailable
	 * @param ahead how many runs may be claimed ahead
	 */
	int room(int unsettled, int ahead) {
		int limit = Math.min(2 * (this.concurrency + ahead), MOST_UNSETTLED);
		return this.concurrency - this.runs.get() - Math.max(0, unsettled - limit);
	}

}
