package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Picks a port that nobody listens on. It may be taken before it is used.
 */
final class FreePort {

	// The port of the cluster bus is 10000 above.
	private static final int HIGHEST = 65535 - 10000;

	private static final int ATTEMPTS = 1000;

	private FreePort() {
	}

	static int find() {
		List<ServerSocket> opened = new ArrayList<>();
		try {
			for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
				ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ServerProbe.HOST));
				// Kept open for now, or the same port may come again.
				opened.add(socket);
				if (socket.getLocalPort() <= HIGHEST) {
					return socket.getLocalPort();
				}
			}
			throw new EmbeddedRedisException("There is no free port up to " + HIGHEST, null);
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not find a free port", ex);
		}
		finally {
			opened.forEach(FreePort::close);
		}
	}

	private static void close(ServerSocket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It was never connected; there is nothing to lose.
		}
	}

}
