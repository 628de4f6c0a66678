package io.github.steadyjobs.embedded;

/**
 * Thrown when another process listens on the port, whether it was there first or took the
 * port while the server was starting.
 */
final class RedisPortInUseException extends EmbeddedRedisException {

	private final int port;

	RedisPortInUseException(int port, String detail) {
		super("Port %d is in use: %s".formatted(port, detail), null);
		this.port = port;
	}

	int getPort() {
		return this.port;
	}

}
