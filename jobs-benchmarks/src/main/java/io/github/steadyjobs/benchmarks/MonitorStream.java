package io.github.steadyjobs.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Listens to a server with {@code MONITOR}.
 */
public final class MonitorStream implements AutoCloseable {

	private final Socket socket;

	/**
	 * Connect. The listener receives all commands that the server runs after this
	 * constructor has returned.
	 * @param redis address of the server, without TLS
	 * @param listener receives each line, on a separate thread
	 * @throws IOException if the server cannot be reached
	 */
	public MonitorStream(String redis, Consumer<String> listener) throws IOException {
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
		Thread thread = new Thread(() -> listen(answers, listener), "monitor");
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

	private static void listen(BufferedReader answers, Consumer<String> listener) {
		try {
			for (String line = answers.readLine(); line != null; line = answers.readLine()) {
				listener.accept(line);
			}
		}
		catch (IOException ex) {
			// The connection was closed, or the server has gone away.
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
