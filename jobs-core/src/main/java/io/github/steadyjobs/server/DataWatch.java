package io.github.steadyjobs.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.DataSet;
import org.jspecify.annotations.Nullable;

/**
 * Notices that Redis has lost data: a queue has another epoch than before, or fewer
 * changes. Thread safe.
 */
final class DataWatch {

	private final WorkerEvents events;

	private final Map<String, DataSet> known = new ConcurrentHashMap<>();

	private final Map<String, String> losses = new ConcurrentSkipListMap<>();

	DataWatch(WorkerEvents events) {
		this.events = events;
	}

	/**
	 * Return the number of changes that a call sent from now on has to find.
	 */
	long seq(String queue) {
		DataSet data = this.known.get(queue);
		return (data != null) ? data.seq() : 0;
	}

	/**
	 * Take note of an answer.
	 * @param queue the queue
	 * @param least what {@link #seq} was when the call was sent
	 * @param found the data set as the answer tells it, with an empty epoch if it does
	 * not
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
			this.known.merge(queue, found, DataWatch::later);
		}
	}

	private void lost(String queue, DataSet found, @Nullable Long missing) {
		synchronized (this) {
			DataSet before = this.known.get(queue);
			if (before != null && before.seq() <= found.seq() && missing != null) {
				// Another thread was told of the same loss.
				return;
			}
			this.known.put(queue, found);
		}
		String loss = (missing != null) ? "its last %d changes".formatted(missing) : "everything";
		this.losses.put(queue, loss);
		this.events.publish(new WorkerEvent.DataLost(queue, missing));
	}

	private static DataSet later(DataSet one, DataSet other) {
		String epoch = other.epoch().isEmpty() ? one.epoch() : other.epoch();
		return new DataSet(epoch, Math.max(one.seq(), other.seq()));
	}

	/**
	 * Return what was lost since the workers were started, by queue.
	 */
	Map<String, String> losses() {
		return new TreeMap<>(this.losses);
	}

}
