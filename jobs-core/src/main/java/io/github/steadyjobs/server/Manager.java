package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;

import io.github.steadyjobs.redis.WakeLine;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.server.RunningJob.Surroundings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one capsule: its fetcher and its workers, each of which runs one job at a time.
 * Started once and ended once.
 */
final class Manager {

	private static final Logger logger = LoggerFactory.getLogger(Manager.class);

	private final Capsule capsule;

	private final WorkerParts parts;

	private final FetchWatch watch;

	private final FetchGate gate;

	private final WakeLine wakeLine;

	private final Backlog backlog;

	private final Settler settler;

	private final Processor processor;

	private final Fetcher fetcher;

	private final BlockingQueue<UnitOfWork> fetched = new LinkedBlockingQueue<>();

	private final Set<UnitOfWork> inWork = ConcurrentHashMap.newKeySet();

	private final List<Thread> workers = new ArrayList<>();

	private final Thread fetching;

	private volatile boolean ended;

	Manager(Capsule capsule, WorkerParts parts) {
		WorkStore store = parts.store();
		this.capsule = capsule;
		this.parts = parts;
		this.watch = new FetchWatch(capsule.name(), parts.events(), System::nanoTime);
		this.gate = new FetchGate(capsule.concurrency());
		this.wakeLine = store.wakeLine(capsule.queueNames());
		this.backlog = new Backlog(2 * capsule.concurrency(), () -> this.gate.releaseWorkers(1));
		this.settler = new Settler(parts, this.backlog);
		this.processor = new Processor(parts.execution(), new Surroundings(capsule.name(), parts.execution().codec(),
				parts.memberships()::isCurrent, parts.stopping()), parts.retry(), this.settler);
		QueueOrder order = QueueOrder.of(capsule, parts.lags(), ThreadLocalRandom.current());
		Claimer claimer = new Claimer(parts, this.settler.acknowledger(), this.watch, capsule, this::take);
		this.fetcher = new Fetcher(this.gate, claimer, order, this.wakeLine, this.settler.acknowledger(),
				parts.outage());
		this.fetching = new Thread(this.fetcher, "jobs-" + capsule.name() + "-fetch");
		this.fetching.setDaemon(true);
	}

	Capsule capsule() {
		return this.capsule;
	}

	void start(ThreadFactory threads) {
		for (int slot = 1; slot <= this.capsule.concurrency(); slot++) {
			Thread worker = threads.newThread(this::work);
			worker.setName("jobs-" + this.capsule.name() + "-" + slot);
			this.workers.add(worker);
		}
		this.workers.forEach(Thread::start);
		this.fetching.start();
	}

	private void take(List<UnitOfWork> works) {
		if (this.gate.isClosed()) {
			// The claim was under way when fetching ended. The last one first, so that
			// the
			// oldest ends up at the very head.
			for (int i = works.size() - 1; i >= 0; i--) {
				giveBack(works.get(i));
			}
			return;
		}
		this.inWork.addAll(works);
		this.fetched.addAll(works);
	}

	private void giveBack(UnitOfWork work) {
		new Outcome.Released().settle(work, this.settler);
		if (work.token().isSuspect()) {
			this.parts.suspects().leave();
		}
	}

	private void work() {
		while (!this.ended) {
			try {
				UnitOfWork work = this.fetched.take();
				process(work);
			}
			catch (InterruptedException ex) {
				// A job was interrupted in its last moment, or this worker has ended.
			}
		}
	}

	private void process(UnitOfWork work) {
		try {
			if (isStillOurs(work)) {
				work.begin();
				this.processor.process(work);
			}
			else {
				// Others may be running it already.
				new Outcome.Released().settle(work, this.settler);
			}
		}
		catch (Throwable ex) {
			// The job stays with this process until that ends, and runs again then.
			logger.error("Job {} could not be processed", work, ex);
			this.parts.outage().unexpected(ex);
		}
		finally {
			work.end();
			finished(work);
		}
	}

	private boolean isStillOurs(UnitOfWork work) {
		return this.parts.memberships().isCurrent(work.token())
				&& !work.isOlderThan(this.parts.settings().liveness().deathAfter());
	}

	private void finished(UnitOfWork work) {
		this.inWork.remove(work);
		if (work.token().isSuspect()) {
			this.parts.suspects().leave();
			// There may be another one, which had to wait.
			this.gate.hint(work.queue());
		}
		if (this.backlog.mayGoOn()) {
			this.gate.releaseWorkers(1);
		}
		else {
			this.settler.acknowledger().send();
		}
		if (this.gate.isClosed()) {
			synchronized (this.inWork) {
				this.inWork.notifyAll();
			}
		}
	}

	/**
	 * Take no more jobs. Returns at once.
	 */
	void quiet() {
		if (!this.gate.isClosed()) {
			this.gate.close();
			this.wakeLine.close();
		}
	}

	/**
	 * Look at a queue at once, if this capsule serves it.
	 */
	void look(String queue) {
		if (this.capsule.queueNames().contains(queue)) {
			this.gate.hint(queue);
		}
	}

	/**
	 * Interrupt the jobs that are not this process's any more.
	 */
	void interruptLost(String queue, String process) {
		for (UnitOfWork work : this.inWork) {
			if (work.queue().equals(queue) && work.token().process().equals(process)) {
				work.interrupt();
			}
		}
	}

	FetchWatch watch() {
		return this.watch;
	}

	int busy() {
		return this.inWork.size();
	}

	/**
	 * Wait until no job runs any more.
	 * @param deadline by {@link System#nanoTime()}
	 */
	void awaitIdle(long deadline) throws InterruptedException {
		synchronized (this.inWork) {
			while (!this.inWork.isEmpty()) {
				long left = (deadline - System.nanoTime()) / 1_000_000;
				if (left <= 0) {
					return;
				}
				this.inWork.wait(left);
			}
		}
	}

	List<UnitOfWork> inWork() {
		return List.copyOf(this.inWork);
	}

	/**
	 * Interrupt what still runs, and let idle workers end.
	 */
	void interrupt() {
		this.ended = true;
		this.fetcher.end();
		this.workers.forEach(Thread::interrupt);
	}

	/**
	 * Wait until no answer can bring a job or a membership any more.
	 * @param deadline by {@link System#nanoTime()}
	 */
	void awaitFetched(long deadline) throws InterruptedException {
		this.fetching.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
	}

	/**
	 * Wait until Redis knows how every run ended.
	 */
	boolean awaitSettled(Duration timeout) throws InterruptedException {
		return this.settler.await(timeout);
	}

}
