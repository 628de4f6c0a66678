package io.github.steadyjobs.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.redis.Shard;

/**
 * What the queues tell of one event, one after the other, so that the log has a line for
 * the event and not one for each queue and shard. Thread safe.
 */
final class QueueNotices {

	private static final int MOST_NAMED = 10;

	private final Consumer<String> log;

	private final Map<String, String> texts = new TreeMap<>();

	private boolean hasNews;

	/**
	 * Create notices.
	 * @param log gets what the queues have told
	 */
	QueueNotices(Consumer<String> log) {
		this.log = log;
	}

	/**
	 * Add what a queue tells. The shards of a queue count together.
	 */
	synchronized void add(String queue, String text) {
		this.texts.put(Shard.queueOf(queue), text);
		this.hasNews = true;
	}

	/**
	 * Log what was told, if no more has come since the last call. Called with each
	 * heartbeat.
	 * @param all whether to wait for no more
	 */
	void report(boolean all) {
		String line;
		synchronized (this) {
			boolean complete = all || !this.hasNews;
			this.hasNews = false;
			if (this.texts.isEmpty() || !complete) {
				return;
			}
			line = this.texts.values().stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
			int others = this.texts.size() - MOST_NAMED;
			line += (others > 0) ? " and of %d more".formatted(others) : "";
			this.texts.clear();
		}
		this.log.accept(line);
	}

}
