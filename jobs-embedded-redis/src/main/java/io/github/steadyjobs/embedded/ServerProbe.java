package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the server at a port who it is.
 */
final class ServerProbe {

	static final String HOST = "127.0.0.1";

	private static final Pattern PROCESS_ID = Pattern.compile("^process_id:(\\d+)\\r?$", Pattern.MULTILINE);

	private static final int TIMEOUT_MILLIS = 2000;

	private ServerProbe() {
	}

	/**
	 * Learn the process id of the server.
	 * @param port the port it should listen on
	 * @return its process id, or -1 if it is still loading its data
	 * @throws IOException if nobody listens, or somebody who is no Redis
	 */
	static long processId(int port) throws IOException {
		try (Socket socket = new Socket()) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.connect(new InetSocketAddress(InetAddress.getByName(HOST), port), TIMEOUT_MILLIS);
			// The server closes the connection after the last answer.
			socket.getOutputStream().write("PING\r\nINFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (answer.startsWith("-LOADING")) {
				return -1;
			}
			Matcher matcher = PROCESS_ID.matcher(answer);
			if (!answer.startsWith("+PONG") || !matcher.find()) {
				throw new IOException("The answer is not that of a Redis: " + answer.lines().findFirst().orElse(""));
			}
			return Long.parseLong(matcher.group(1));
		}
	}

}
