package io.github.steadyjobs.benchmarks;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.jspecify.annotations.Nullable;

/**
 * The server given by the option {@code --redis}. The value {@code embedded} starts a
 * server, which other processes can reach as well.
 */
public final class TargetRedis implements AutoCloseable {

	private final @Nullable EmbeddedRedisServer server;

	private final String url;

	/**
	 * Use the given server, or start one.
	 * @param options the options of the command
	 */
	public TargetRedis(Options options) {
		String named = options.text("redis", "redis://127.0.0.1:6379");
		EmbeddedRedisServer started = named.equals("embedded") ? EmbeddedRedisServer.start() : null;
		this.server = started;
		this.url = (started != null) ? started.uri().toString() : named;
	}

	/**
	 * Return the address of the server.
	 * @return the URL of the server
	 */
	public String url() {
		return this.url;
	}

	@Override
	public void close() {
		if (this.server != null) {
			this.server.close();
		}
	}

}
