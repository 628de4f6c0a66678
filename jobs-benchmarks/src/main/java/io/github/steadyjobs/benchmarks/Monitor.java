package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the commands that clients send to a server. Commands that scripts call are not
 * counted.
 */
public final class Monitor implements AutoCloseable {

	/**
	 * Matches, for example, {@code 1700000000.123456 [0 127.0.0.1:50000] "BLPOP" "key"}.
	 * Commands called by scripts have {@code lua} in place of an address.
	 */
	private static final Pattern COMMAND = Pattern.compile("\\+[\\d.]+ \\[\\d+ (?!lua)[^]]+] \"(\\w+)\".*");

	private final Map<String, Integer> counts = new ConcurrentHashMap<>();

	private final MonitorStream stream;

	private volatile boolean listening;

	/**
	 * Connect. Call {@link #reset()} before counting.
	 * @param redis address of the server, without TLS
	 * @throws IOException if the server cannot be reached
	 */
	public Monitor(String redis) throws IOException {
		this.stream = new MonitorStream(redis, this::read);
	}

	private void read(String line) {
		if (this.listening) {
			Matcher command = COMMAND.matcher(line);
			if (command.matches()) {
				this.counts.merge(command.group(1).toLowerCase(Locale.ROOT), 1, Integer::sum);
			}
		}
	}

	/**
	 * Reset all counts to 0.
	 */
	public void reset() {
		this.counts.clear();
		this.listening = true;
	}

	/**
	 * Return how many times each command has been sent since the last reset.
	 * @return counts by command, in lower case
	 */
	public Map<String, Integer> counts() {
		return new TreeMap<>(this.counts);
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

}
