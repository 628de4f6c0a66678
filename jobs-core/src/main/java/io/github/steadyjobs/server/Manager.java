package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.github.steadyjobs.server.Vitals.StallWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one capsule: its workers and the fetcher that finds jobs for them. Each worker
 * runs one job at a time, or several jobs that share one call. A manager is started once
 * and ended once.
 */
final class Manager implements PresenceListener {

	private static final Logger logger = LoggerFactory.getLogger(Manager.class);

	private final Capsule capsule;

	private final WorkQueue workQueue;

	private final Fetcher fetcher;

	private final Processor processor;

	private final Presence presence;

	private final Vitals vitals;

	private final AtomicReferenceArray<WorkerRun> running;

	private final StallWatch watch;

	private final List<Thread> workers = new ArrayList<>();

	private volatile boolean ended;

	Manager(Capsule capsule, WorkQueue workQueue, Fetcher fetcher, Processor processor, Presence presence,
			Vitals vitals) {
		this.capsule = capsule;
		this.workQueue = workQueue;
		this.fetcher = fetcher;
		this.processor = processor;
		this.presence = presence;
		this.vitals = vitals;
		this.running = new AtomicReferenceArray<>(capsule.concurrency());
		this.watch = vitals.stallWatch(capsule.name());
	}

	void start(ThreadFactory threads) {
		for (int slot = 0; slot < this.capsule.concurrency(); slot++) {
			int number = slot;
			Thread worker = threads.newThread(() -> work(number));
			worker.setName("jobs-" + this.capsule.name() + "-" + (slot + 1));
			worker.start();
			this.workers.add(worker);
		}
	}

	private void work(int slot) {
		if (slot == 0) {
			// Begin to fetch here: the first step connects to Redis, and must not delay
			// the start of the application.
			this.fetcher.look();
		}
		while (!this.ended) {
			try {
				process(this.workQueue.take(), slot);
			}
			catch (InterruptedException ex) {
				// A job was interrupted just as it ended, or this worker has to end.
			}
			catch (Throwable ex) {
				// Everything is caught, because a worker that ends is not replaced.
				logger.error("A worker of capsule {} continues after a failure", this.capsule.name(), ex);
				this.vitals.unexpected(ex);
			}
		}
	}

	private void process(List<UnitOfWork> works, int slot) {
		this.running.set(slot,
				new WorkerRun(this.capsule.name(), slot, works, Thread.currentThread(), System.nanoTime()));
		try {
			List<UnitOfWork> current = new ArrayList<>(works.size());
			boolean isOld = false;
			for (UnitOfWork work : works) {
				if (this.presence.isCurrent(work.token())) {
					current.add(work);
					isOld |= this.presence.mayHaveLost(work);
				}
			}
			if (isOld) {
				giveBackOld(current);
			}
			else {
				this.workQueue.begin(current);
				this.processor.process(current);
			}
		}
		finally {
			works.forEach(UnitOfWork::end);
			this.running.set(slot, null);
			this.workQueue.ended(works);
			if (this.workQueue.isLow()) {
				this.fetcher.look();
			}
		}
	}

	/**
	 * Give back these jobs, at least one of which was claimed too long ago, and all
	 * waiting jobs that were claimed too long ago. Other processes may already be running
	 * jobs of that age.
	 */
	private void giveBackOld(List<UnitOfWork> works) {
		List<UnitOfWork> old = new ArrayList<>(works);
		old.removeIf((work) -> !this.workQueue.giveBack(work));
		old.addAll(this.workQueue.removeIf(this.presence::mayHaveLost));
		this.fetcher.giveBackSoon(old);
	}

	Capsule capsule() {
		return this.capsule;
	}

	WorkQueue workQueue() {
		return this.workQueue;
	}

	Fetcher fetcher() {
		return this.fetcher;
	}

	Processor processor() {
		return this.processor;
	}

	/**
	 * Interrupt running jobs that no longer belong to this process, and forget waiting
	 * jobs that no longer belong to this process.
	 */
	@Override
	public void fenced(String queue, String name) {
		this.workQueue.forget((work) -> work.isOf(queue, name));
		for (UnitOfWork work : running()) {
			if (work.isOf(queue, name)) {
				work.interrupt();
			}
		}
		this.fetcher.look();
	}

	@Override
	public void answered(String queue, Beat beat) {
		if (beat.hasJobs()) {
			this.fetcher.look(queue);
		}
		if (!beat.interrupted().isEmpty()) {
			interruptCancelled(queue, beat::isInterrupted);
		}
	}

	/**
	 * Interrupt the runs of cancelled jobs, and give back cancelled jobs that have not
	 * begun; Redis then ends these jobs. A run of several jobs is not interrupted,
	 * because the other jobs are not cancelled.
	 */
	private void interruptCancelled(String queue, Predicate<JobToken> cancelled) {
		Predicate<UnitOfWork> isMeant = (work) -> work.token().queue().equals(queue) && cancelled.test(work.token());
		this.fetcher.giveBackSoon(this.workQueue.removeIf(isMeant));
		runs().stream()
			.filter((run) -> run.works().size() == 1)
			.map(WorkerRun::work)
			.filter(isMeant)
			.forEach(UnitOfWork::cancelRun);
	}

	/** Return the jobs that this capsule holds, by queue. See {@link Fetcher#held}. */
	List<String> held() {
		return this.fetcher.held(this.presence.joined());
	}

	/** Return the current runs of the workers. */
	List<WorkerRun> runs() {
		return IntStream.range(0, this.running.length()).mapToObj(this.running::get).filter(Objects::nonNull).toList();
	}

	List<UnitOfWork> running() {
		return runs().stream().flatMap((run) -> run.works().stream()).toList();
	}

	/** Interrupt all workers. Each worker ends now, or when its current run returns. */
	void interrupt() {
		this.ended = true;
		this.workers.forEach(Thread::interrupt);
	}

	/**
	 * Return whether this capsule holds no job and waits for no claimed job, and Redis
	 * has confirmed the end of all earlier jobs.
	 */
	boolean isIdle() {
		// Checked in the order in which a job passes through these places, so that a job
		// that moves on during the check is not missed.
		return !this.fetcher.isClaiming() && this.workQueue.claimed().isEmpty() && this.fetcher.isSettled();
	}

	/**
	 * Decide, from each queue's latest heartbeat answer, whether this capsule has
	 * stalled.
	 */
	void judge(Map<String, Beat> beats) {
		boolean jobsWait = this.capsule.parts()
			.stream()
			.map(beats::get)
			.anyMatch((beat) -> beat != null && beat.hasJobs());
		this.watch.judge(jobsWait && runs().size() < this.capsule.concurrency() && this.fetcher.isFetching(),
				this.fetcher.progress());
	}

	Capsule.Status status() {
		return new Capsule.Status(this.capsule.name(), this.capsule.queueNames(), this.capsule.concurrency(),
				runs().size(), this.watch.isStalled());
	}

}
