package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects, from the answers of Redis and from missing answers, that Redis is unavailable,
 * is back or has lost data, that a queue is damaged, or that a capsule has stalled. Also
 * handles unexpected failures. Thread safe.
 */
final class Vitals {

	private static final Logger logger = LoggerFactory.getLogger(Vitals.class);

	private final QueueMonitor monitor;

	private final WorkerEvents events;

	private final Consumer<Throwable> unexpected;

	private final Duration stalledAfter;

	private final Set<String> failing = new HashSet<>();

	private final LongConsumer versions;

	private volatile boolean away;

	private final AtomicInteger upsets = new AtomicInteger();

	private long awaySince;

	private final Map<String, DataSet> known = new ConcurrentHashMap<>();

	private final Map<String, String> losses = new ConcurrentSkipListMap<>();

	private final QueueNotices lossNotices = new QueueNotices(this::logLosses);

	/**
	 * Create vitals.
	 * @param unexpected called with failures that are not caused by an unreachable Redis
	 * @param versions called with the versions of the rules in force in the queues
	 * @param stalledAfter how long a capsule must make no progress to count as stalled
	 */
	Vitals(QueueMonitor monitor, WorkerEvents events, Consumer<Throwable> unexpected, LongConsumer versions,
			Duration stalledAfter) {
		this.monitor = monitor;
		this.events = events;
		this.unexpected = unexpected;
		this.versions = versions;
		this.stalledAfter = stalledAfter;
	}

	void answered(ServedQueue queue, Claim claim) {
		succeeded(queue.name());
		this.versions.accept(claim.rest().rules());
		seen(queue.name(), queue.expectedSeq(), new DataSet("", claim.seq()));
	}

	/**
	 * Record that a call to a queue was refused or not answered. An outage of Redis is
	 * reported only once, no matter how many queues are affected.
	 */
	void failed(String queue, Throwable failure) {
		synchronized (this.failing) {
			if (this.failing.add(queue) && !this.away) {
				this.away = true;
				this.awaySince = System.nanoTime();
				logger.warn("Queue {}, and perhaps others, give no jobs at present; workers keep trying: {}", queue,
						RedisErrors.unwrap(failure).getMessage());
			}
		}
	}

	/**
	 * Record that a queue has answered. Reports that Redis is back when all failed queues
	 * have answered.
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
				logger.info("Redis is back after {} s, workers continue", lasted.toSeconds());
			}
		}
	}

	/**
	 * Return how many times Redis has come back or has lost data so far. Each time, the
	 * data in Redis may have become older than answers that this process has received.
	 */
	int upsets() {
		return this.upsets.get();
	}

	boolean isAway() {
		return this.away;
	}

	/**
	 * Return the minimum number of changes to a queue's data set that the answer to a
	 * call sent from now on must report.
	 */
	long seq(String queue) {
		DataSet data = this.known.get(queue);
		return (data != null) ? data.seq() : 0;
	}

	/**
	 * Record the data set that an answer reports. Redis has lost data if the data set has
	 * another epoch than before, or fewer changes than before.
	 * @param least the value of {@link #seq} when the call was sent
	 * @param found the data set; its epoch is empty if the answer contains no epoch
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
				// Another thread has already noticed the same loss.
				return;
			}
			this.known.put(queue, found);
		}
		this.upsets.incrementAndGet();
		String loss = (missing != null) ? "its last %d changes".formatted(missing) : "everything";
		this.losses.put(QueueRef.queueOf(queue), loss);
		this.lossNotices.add(QueueRef.queueOf(queue), "%s of queue %s".formatted(loss, QueueRef.queueOf(queue)));
		this.events.publish(new WorkerEvent.DataLost(QueueRef.queueOf(queue), missing));
	}

	private void logLosses(String what) {
		logger.error("Redis has lost data: {}. Jobs that were enqueued or ended in the meantime may be missing or run "
				+ "again. {}", what, this.monitor.causesOfLoss());
	}

	/**
	 * Log which data Redis has lost, unless more losses were found since the last call.
	 * Asks Redis for the cause.
	 * @param all whether to log without waiting for further losses
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

	/** Record that a call was refused because keys of a queue hold wrong values. */
	void damaged(String queue, Throwable failure) {
		succeeded(queue);
		logger.error("No jobs are taken from queue {} until it is repaired, and other queues go on: {}", queue,
				failure.getMessage());
	}

	/** Record that this version of the library must not use a queue. */
	void withdrawn(String queue) {
		succeeded(queue);
		logger.error("A newer version of Steady Jobs has changed the layout of queue {}: this process takes no more "
				+ "jobs from it. Update this application", queue);
	}

	/** Record that Redis has refused the outcome of a run. */
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
	 * Detects that a capsule makes no progress although it should: jobs are ready, a
	 * worker is free and Redis answers, but nothing was claimed or settled for a long
	 * time. Only in this case is the process to blame rather than Redis. Thread safe.
	 */
	static final class StallWatch {

		/** If the gap between answered heartbeats is longer, Redis is to blame. */
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
		 * @param nanoTime supplies the time, like {@link System#nanoTime()}
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
		 * Record an answered heartbeat.
		 * @param shouldWork whether jobs are ready for this capsule, a worker is free,
		 * and nothing keeps the process from claiming
		 * @param progress how many runs have begun and how many jobs have been settled so
		 * far, in total
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
					logger.info("Capsule {} works again", this.capsule);
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
