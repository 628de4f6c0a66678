package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.DataSet;
import io.github.steadyjobs.redis.QueueMonitor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the answers of Redis, and those that are missing, say about Redis and its data;
 * and where to report what nobody expected. Thread safe.
 */
final class Vitals {

	private static final Logger logger = LoggerFactory.getLogger(Vitals.class);

	private final QueueMonitor monitor;

	private final WorkerEvents events;

	private final Executor chores;

	private final Consumer<Throwable> unexpected;

	private final Outage outage = new Outage();

	private final DataWatch data;

	/**
	 * Create vitals.
	 * @param chores runs what takes longer
	 * @param unexpected told of failures that have nothing to do with Redis being away
	 */
	Vitals(QueueMonitor monitor, WorkerEvents events, Executor chores, Consumer<Throwable> unexpected) {
		this.monitor = monitor;
		this.events = events;
		this.chores = chores;
		this.unexpected = unexpected;
		this.data = new DataWatch(events);
	}

	/**
	 * Return how many changes of a queue's data set the answer to a call has to tell that
	 * is sent from now on.
	 */
	long seq(String queue) {
		return this.data.seq(queue);
	}

	/**
	 * Take note of a data set that an answer tells of.
	 * @param least what {@link #seq} was when the call was sent
	 */
	void seen(String queue, long least, DataSet found) {
		this.data.seen(queue, least, found);
	}

	/**
	 * Take note of the answer to a claim.
	 */
	void answered(ServedQueue queue, Claim claim) {
		this.outage.succeeded(queue.name());
		this.data.seen(queue.name(), queue.expectedSeq(), new DataSet("", claim.seq()));
	}

	/**
	 * Take note that a queue did not answer, or refused.
	 */
	void failed(String queue, Throwable failure) {
		this.outage.failed(queue, unwrapped(failure));
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
	 * Take note that keys of a queue hold what they must not.
	 */
	void damaged(String queue) {
		this.outage.succeeded(queue);
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
		this.outage.succeeded(queue);
		logger.error("A newer version of Steady Jobs has changed the layout of queue {}: this process takes no more "
				+ "jobs of it. Update this application", queue);
	}

	/**
	 * Take note that the end of a run does not count.
	 */
	void refused(UnitOfWork work) {
		logger.warn("Job {} had been given to another worker when it ended here; this end does not count", work);
		this.events.publish(new WorkerEvent.Refused(work.queue(), work.token().id()));
	}

	StallWatch stallWatch(String capsule) {
		return new StallWatch(capsule, this.events, System::nanoTime);
	}

	/**
	 * Report a failure that has nothing to do with Redis being away.
	 */
	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

	/**
	 * Return what Redis has lost since the workers were started, by queue.
	 */
	Map<String, String> losses() {
		return this.data.losses();
	}

}
