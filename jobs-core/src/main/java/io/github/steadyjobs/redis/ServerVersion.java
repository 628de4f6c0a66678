package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.StringUtils;

/**
 * The product and version of the server.
 *
 * @param product {@code Redis}, {@code Valkey}, or a product that claims to be Redis:
 * {@code Dragonfly} or {@code Garnet}
 * @param version the version that the server reports
 */
public record ServerVersion(String product, String version) {

	private static final Logger logger = LoggerFactory.getLogger(ServerVersion.class);

	private static final String UNKNOWN = "unknown";

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Pattern NUMBERS = Pattern.compile("^(\\d+)\\.(\\d+)");

	/** Products that also report a version of Redis, for compatibility. */
	private static final List<String> OTHERS = List.of("valkey", "dragonfly", "garnet");

	/** Read the product and version from the fields of {@code INFO}. */
	public static ServerVersion of(Map<String, String> info) {
		for (String other : OTHERS) {
			String version = info.get(other + "_version");
			if (version != null) {
				return new ServerVersion(StringUtils.capitalize(other), version);
			}
		}
		return new ServerVersion("Redis", info.getOrDefault("redis_version", UNKNOWN));
	}

	/**
	 * Refuse a server that is too old, and close its connection. If the version cannot be
	 * read, the server is assumed to be new enough.
	 */
	static CompletableFuture<StatefulConnection<byte[], byte[]>> check(StatefulConnection<byte[], byte[]> connection) {
		CommandBytes info = new CommandBytes(CommandType.INFO).add("server");
		return Sent.ask(connection, info, PATIENCE).handle((answer, error) -> {
			if (error != null) {
				logger.debug("The server does not state its version", error);
				return connection;
			}
			ServerVersion version = of(Answers.info(answer));
			if (!version.isSupported()) {
				connection.closeAsync();
				throw new JobStoreException("%s is too old: Steady Jobs needs Redis 6.2 or Valkey".formatted(version));
			}
			return connection;
		});
	}

	/**
	 * Return whether the server has the commands that the scripts use. These commands
	 * were introduced in Redis 6.2. A server that hides its version is assumed to have
	 * these commands.
	 */
	public boolean isSupported() {
		Matcher numbers = NUMBERS.matcher(this.version);
		if (!numbers.find()) {
			return true;
		}
		int major = Integer.parseInt(numbers.group(1));
		return major > 6 || (major == 6 && Integer.parseInt(numbers.group(2)) >= 2);
	}

	public boolean isTested() {
		return this.product.equals("Redis") || this.product.equals("Valkey");
	}

	public boolean isKnown() {
		return !this.version.equals(UNKNOWN);
	}

	@Override
	public String toString() {
		return this.product + " " + this.version;
	}

}
