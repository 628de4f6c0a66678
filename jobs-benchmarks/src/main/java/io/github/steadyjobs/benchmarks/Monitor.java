package io.github.steadyjobs.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listens to a server with {@code MONITOR}, and counts the commands that clients send.
 * Those of scripts are none.
 */
final class Monitor implements AutoCloseable {

	/**
	 * As in {@code 1700000000.123456 [0 127.0.0.1:50000] "BLPOP" "key"}. In place of an
	 * address, a script has {@code lua}.
	 */
	private static final Pattern COMMAND = Pattern.compile("\\+[\\d.]+ \\[\\d+ (?!lua)[^]]+] \"(\\w+)\".*");

	private final Map<String, Integer> counts = new ConcurrentHashMap<>();

	private final Socket socket;

	private volatile boolean listening;

	/**
	 * Connect, and count from the first {@link #reset()}.
	 * @param redis address of the server, without TLS
	 */
	Monitor(String redis) throws IOException {
		URI server = URI.create(redis);
		if (!"redis".equals(server.getScheme())) {
			throw new IllegalArgumentException(
					"--redis has to be 'embedded' or begin with 'redis://', not '%s': ".formatted(redis)
							+ "MONITOR is read without TLS");
		}
		this.socket = new Socket(server.getHost(), (server.getPort() > 0) ? server.getPort() : 6379);
		BufferedReader answers = new BufferedReader(
				new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
		String user = server.getUserInfo();
		if (user != null) {
			send(answers, "AUTH " + user.replaceFirst("^:", "").replaceFirst(":", " "));
		}
		send(answers, "MONITOR");
		Thread thread = new Thread(() -> listen(answers), "monitor");
		thread.setDaemon(true);
		thread.start();
	}

	private void send(BufferedReader answers, String command) throws IOException {
		this.socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
		String answer = answers.readLine();
		if (!"+OK".equals(answer)) {
			throw new IllegalArgumentException("Redis refuses %s: %s".formatted(command.split(" ")[0], answer));
		}
	}

	private void listen(BufferedReader answers) {
		try {
			for (String line = answers.readLine(); line != null; line = answers.readLine()) {
				Matcher command = COMMAND.matcher(line);
				if (this.listening && command.matches()) {
					this.counts.merge(command.group(1).toLowerCase(Locale.ROOT), 1, Integer::sum);
				}
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	void reset() {
		this.counts.clear();
		this.listening = true;
	}

	/**
	 * Return how often each command was sent since the last reset.
	 */
	Map<String, Integer> counts() {
		return new TreeMap<>(this.counts);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
