package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.benchmarks.MonitorStream;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * Reads decisions about ticks as soon as Redis records them, because a process may die
 * before it reports a decision. Thread-safe.
 */
final class TickWitness implements AutoCloseable {

	/** The arguments of {@code tick.lua} that identify a tick. */
	private static final Pattern TICK = Pattern.compile("\\S+ (\\d+) (\\d+) \\d+ (?:\\d+|-) [EMS]");

	private final URI server;

	private final String prefix;

	private final List<TickDecision> decisions = new ArrayList<>();

	private final Map<String, Instant> latest = new HashMap<>();

	private @Nullable MonitorStream stream;

	/**
	 * The first missed tick of each decision in the latest script call, by job name and
	 * decided tick.
	 */
	private Map<String, Instant> asked = Map.of();

	TickWitness(URI server, String prefix) {
		this.server = server;
		this.prefix = prefix;
	}

	/**
	 * Watch from now on. Must be called while no process can write, so that decisions
	 * missed since the last connection can be read as well.
	 */
	void connect() {
		try {
			close();
			this.stream = new MonitorStream(this.server.toString(), this::read);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Could not look at '%s'".formatted(this.server), ex);
		}
		RedisClient client = RedisClient.create(RedisURI.create(this.server));
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			TickSpec.QUEUES.forEach(
					(queue) -> connection.sync().hgetall(key(queue)).forEach((name, state) -> add(name, null, state)));
		}
		finally {
			client.shutdown();
		}
	}

	private String key(String queue) {
		return "%s:{%s}:ticked".formatted(this.prefix, queue);
	}

	private synchronized void read(String line) {
		if (!line.contains(this.prefix) || !line.contains(":ticked\"")) {
			return;
		}
		List<String> arguments = arguments(line);
		String command = arguments.get(0).toLowerCase(Locale.ROOT);
		if (!line.contains(" lua] ")) {
			this.asked = command.startsWith("eval") ? asked(arguments) : Map.of();
		}
		else if (command.equals("hset") && arguments.size() == 4) {
			String name = arguments.get(2);
			String state = arguments.get(3);
			add(name, this.asked.get(name + " " + state.replaceFirst("^\\S+ (\\S*).*$", "$1")), state);
		}
	}

	/**
	 * Return the first missed tick of each decision in a call of {@code tick.lua}; empty
	 * for a call of another script.
	 */
	private static Map<String, Instant> asked(List<String> arguments) {
		Map<String, Instant> asked = new HashMap<>();
		// No other argument of a script has this form.
		for (int i = 4; i < arguments.size(); i++) {
			Matcher tick = TICK.matcher(arguments.get(i));
			if (tick.matches()) {
				asked.put(arguments.get(i - 1) + " " + tick.group(2), TickDecision.time(tick.group(1)));
			}
		}
		return asked;
	}

	/**
	 * Return the command and its arguments, each of which is in quotes. The relevant
	 * arguments contain no escapes.
	 */
	private static List<String> arguments(String line) {
		List<String> arguments = new ArrayList<>();
		int begin = line.indexOf('"') + 1;
		while (begin > 0) {
			int end = begin;
			while (line.charAt(end) != '"') {
				end += (line.charAt(end) == '\\') ? 2 : 1;
			}
			arguments.add(line.substring(begin, end));
			begin = line.indexOf('"', end + 1) + 1;
		}
		return arguments;
	}

	private synchronized void add(String name, @Nullable Instant first, String state) {
		TickDecision decision = name.startsWith("=") ? null : TickDecision.of(name, first, state);
		Instant before = this.latest.get(name);
		if (decision != null && (first != null || before == null || before.isBefore(decision.last()))) {
			this.decisions.add(decision);
			this.latest.put(name, decision.last());
		}
	}

	/**
	 * Return all decisions in the order in which they were made.
	 */
	synchronized List<TickDecision> decisions() {
		return new ArrayList<>(this.decisions);
	}

	@Override
	public void close() throws IOException {
		if (this.stream != null) {
			this.stream.close();
		}
	}

}
