package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;
import io.github.steadyjobs.redis.Shard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the answers of Redis, and missing ones, say about Redis and its data: that it is
 * away or back, that it has lost data, that a queue is damaged or a capsule stalled. Also
 * where to report what nobody expected. Thread safe.
 */
final class Vitals {

	private static final Logger logger = LoggerFactory.getLogger(Vitals.class);

	private final QueueMonitor monitor;

	private final WorkerEvents events;

	private final Executor chores;

	private final Consumer<Throwable> unexpected;

	private final Duration stalledAfter;

	private final Set<String> failing = new HashSet<>();

	private volatile LongConsumer pausesListener = (version) -> {
	};

	private volatile boolean away;

	private final AtomicInteger upsets = new AtomicInteger();

	private long awaySince;

	private final Map<String, DataSet> known = new ConcurrentHashMap<>();

	private final Map<String, String> losses = new ConcurrentSkipListMap<>();

	private final QueueNotices lossNotices = new QueueNotices(this::logLosses);

	/**
	 * Create vitals.
	 * @param chores runs what takes longer
	 * @param unexpected gets failures that have nothing to do with Redis being away
	 * @param stalledAfter how long a capsule does nothing before it is stalled
	 */
	Vitals(QueueMonitor monitor, WorkerEvents events, Executor chores, Consumer<Throwable> unexpected,
			Duration stalledAfter) {
		this.monitor = monitor;
		this.events = events;
		this.chores = chores;
		this.unexpected = unexpected;
		this.stalledAfter = stalledAfter;
	}

	/**
	 * Set what takes the versions of pauses that queues know.
	 */
	void onPauses(LongConsumer listener) {
		this.pausesListener = listener;
	}

	void answered(ServedQueue queue, Claim claim) {
		succeeded(queue.name());
		this.pausesListener.accept(claim.rest().pauses());
		seen(queue.name(), queue.expectedSeq(), new DataSet("", claim.seq()));
	}

	/**
	 * Take note that a queue did not answer, or refused. Says once that Redis is away,
	 * however many queues notice.
	 */
	void failed(String queue, @Nullable Throwable failure) {
		synchronized (this.failing) {
			if (this.failing.add(queue) && !this.away) {
				this.away = true;
				this.awaySince = System.nanoTime();
				logger.warn("Queue {}, and perhaps others, give no jobs at present; workers keep trying: {}", queue,
						unwrapped(failure).getMessage());
			}
		}
	}

	/**
	 * Take note that a queue has answered. Says that Redis is back once all have answered
	 * that failed before.
	 */
	void succeeded(String queue) {
		if (!this.away) {
			return;
		}
		synchronized (this.failing) {
			if (this.failing.remove(queue) && this.failing.isEmpty()) {
				this.away = false;
				this.upsets.incrementAndGet();
				Duration lasted = Duration.ofNanos(System.nanoTime() - this.awaySince);
				logger.info("Redis is back after {} s, workers go on", lasted.toSeconds());
			}
		}
	}

	/**
	 * Return how often Redis came back or had lost data until now. What it knows about
	 * this process may then be older than what it has answered.
	 */
	int upsets() {
		return this.upsets.get();
	}

	boolean isAway() {
		return this.away;
	}

	/**
	 * Return what was thrown, without what futures put around it.
	 */
	static Throwable unwrapped(@Nullable Throwable failure) {
		Throwable unwrapped = Objects.requireNonNull(failure);
		while (unwrapped instanceof CompletionException && unwrapped.getCause() != null) {
			unwrapped = unwrapped.getCause();
		}
		return unwrapped;
	}

	/**
	 * Return the fewest changes of a queue's data set that the answer to a call may
	 * report if it is sent from now on.
	 */
	long seq(String queue) {
		DataSet data = this.known.get(queue);
		return (data != null) ? data.seq() : 0;
	}

	/**
	 * Take note of the data set that an answer reports. Redis has lost data if it is not
	 * the same as before, or has fewer changes.
	 * @param least what {@link #seq} was when the call was sent
	 * @param found the data set, with an empty epoch if the answer has none
	 */
	void seen(String queue, long least, DataSet found) {
		if (found.seq() == 0) {
			return;
		}
		DataSet before = this.known.get(queue);
		boolean another = before != null && !found.epoch().isEmpty() && !before.epoch().isEmpty()
				&& !found.epoch().equals(before.epoch());
		if (another) {
			lost(queue, found, null);
		}
		else if (found.seq() < least) {
			lost(queue, found, least - found.seq());
		}
		else {
			this.known.merge(queue, found, Vitals::later);
		}
	}

	private void lost(String queue, DataSet found, @Nullable Long missing) {
		synchronized (this.known) {
			DataSet before = this.known.get(queue);
			if (before != null && before.seq() <= found.seq() && missing != null) {
				// Another thread has noticed the same loss.
				return;
			}
			this.known.put(queue, found);
		}
		this.upsets.incrementAndGet();
		String loss = (missing != null) ? "its last %d changes".formatted(missing) : "everything";
		this.losses.put(Shard.queueOf(queue), loss);
		this.lossNotices.add(queue, "%s of queue %s".formatted(loss, Shard.queueOf(queue)));
		this.events.publish(new WorkerEvent.DataLost(Shard.queueOf(queue), missing));
	}

	private void logLosses(String what) {
		logger.error("Redis has lost data: {}. Jobs that were enqueued or ended in the meantime may be missing or run "
				+ "again. {}", what, this.monitor.causesOfLoss());
	}

	/**
	 * Log what Redis has lost, once no more is found. Asks Redis for the reason.
	 * @param all whether to wait for no more
	 */
	void report(boolean all) {
		this.lossNotices.report(all);
	}

	private static DataSet later(DataSet one, DataSet other) {
		String epoch = other.epoch().isEmpty() ? one.epoch() : other.epoch();
		return new DataSet(epoch, Math.max(one.seq(), other.seq()));
	}

	Map<String, String> losses() {
		return new TreeMap<>(this.losses);
	}

	/**
	 * Take note that keys of a queue hold what they must not.
	 */
	void damaged(String queue) {
		succeeded(queue);
		this.chores.execute(
				() -> logger.error("No jobs are taken from queue {} until it is repaired, and other queues go on: {}",
						queue, damage(queue)));
	}

	private String damage(String queue) {
		try {
			return this.monitor.wrongTypes(List.of(queue)).toString();
		}
		catch (JobStoreException ex) {
			return "its keys could not be looked at (" + ex.getMessage() + ")";
		}
	}

	/**
	 * Take note that a queue must not be used by this version of the library.
	 */
	void withdrawn(String queue) {
		succeeded(queue);
		logger.error("A newer version of Steady Jobs has changed the layout of queue {}: this process takes no more "
				+ "jobs from it. Update this application", queue);
	}

	/**
	 * Take note that the end of a run does not count.
	 */
	void refused(UnitOfWork work) {
		logger.warn("Job {} had been given to another worker when it ended here; this end does not count", work);
		this.events.publish(new WorkerEvent.Refused(work.queue(), work.token().id()));
	}

	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

	StallWatch stallWatch(String capsule) {
		return new StallWatch(capsule, this.stalledAfter, this.events, System::nanoTime);
	}

	/**
	 * Notices that a capsule does nothing although it should: jobs are ready, a worker is
	 * free, Redis answers, and nothing was claimed or settled for long. That is the one
	 * case in which this process is broken and Redis is not. Thread safe.
	 */
	static final class StallWatch {

		/** While heartbeats are not answered, Redis is to blame. */
		private static final long LONGEST_GAP = Duration.ofSeconds(20).toNanos();

		private final String capsule;

		private final Duration stalledAfter;

		private final WorkerEvents events;

		private final LongSupplier nanoTime;

		private long progress;

		private long idleSince;

		private long judgedAt;

		private boolean stalled;

		/**
		 * Create a watch.
		 * @param nanoTime returns what {@link System#nanoTime()} does
		 */
		StallWatch(String capsule, Duration stalledAfter, WorkerEvents events, LongSupplier nanoTime) {
			this.capsule = capsule;
			this.stalledAfter = stalledAfter;
			this.events = events;
			this.nanoTime = nanoTime;
			this.judgedAt = nanoTime.getAsLong();
			this.idleSince = this.judgedAt;
		}

		/**
		 * Take note of an answered heartbeat.
		 * @param shouldWork whether jobs are ready for this capsule, a worker is free,
		 * and nothing keeps the process from claiming
		 * @param progress how much was claimed and settled until now
		 */
		synchronized void judge(boolean shouldWork, long progress) {
			long now = this.nanoTime.getAsLong();
			boolean gap = now - this.judgedAt > LONGEST_GAP;
			this.judgedAt = now;
			if (!shouldWork || progress != this.progress || gap) {
				this.idleSince = now;
				this.progress = progress;
				if (this.stalled) {
					this.stalled = false;
					logger.info("Capsule {} goes on", this.capsule);
					this.events.publish(new WorkerEvent.Resumed(this.capsule));
				}
			}
			else if (now - this.idleSince >= this.stalledAfter.toNanos() && !this.stalled) {
				this.stalled = true;
				logger.error("Capsule {} has claimed and settled nothing for {} s, although jobs are ready, a worker "
						+ "is free and Redis answers. Restart this process, and report this with its thread dump",
						this.capsule, this.stalledAfter.toSeconds());
				this.events.publish(new WorkerEvent.Stalled(this.capsule));
			}
		}

		synchronized boolean isStalled() {
			return this.stalled;
		}

	}

}
