package io.github.steadyjobs.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Collects the reports of several queues about the same event, so that the log has one
 * line for the event rather than one line for each queue and part. Thread safe.
 */
final class QueueNotices {

	private static final int MOST_NAMED = 10;

	private final Consumer<String> log;

	private final Map<String, String> texts = new TreeMap<>();

	private boolean hasNews;

	/**
	 * Create an instance.
	 * @param log called with the collected reports as one text
	 */
	QueueNotices(Consumer<String> log) {
		this.log = log;
	}

	/**
	 * Add a report, which replaces the previous report with the same key.
	 * @param key usually the name of the queue, without the part number if all parts of
	 * the queue share one report
	 */
	synchronized void add(String key, String text) {
		this.texts.put(key, text);
		this.hasNews = true;
	}

	/**
	 * Log the reports, unless more have been added since the last call. Called with each
	 * heartbeat.
	 * @param all whether to log without waiting for more reports
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
			line += (others > 0) ? " and %d more".formatted(others) : "";
			this.texts.clear();
		}
		this.log.accept(line);
	}

}
