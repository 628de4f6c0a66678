package io.github.steadyjobs.redis;

import java.time.Duration;
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
 * Product and version of the server.
 *
 * @param product {@code Redis} or {@code Valkey}, or {@code Dragonfly} or {@code Garnet},
 * which pretend to be Redis
 * @param version the version as the server tells it
 */
public record ServerVersion(String product, String version) {

	private static final Logger logger = LoggerFactory.getLogger(ServerVersion.class);

	private static final String UNKNOWN = "unknown";

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Pattern REDIS = Pattern.compile("^redis_version:(\\S+)", Pattern.MULTILINE);

	/**
	 * Others tell a version of Redis too, for clients that know no better.
	 */
	private static final Pattern OTHER = Pattern.compile("^(valkey|dragonfly|garnet)_version:(\\S+)",
			Pattern.MULTILINE);

	static ServerVersion parse(String info) {
		Matcher other = OTHER.matcher(info);
		if (other.find()) {
			return new ServerVersion(StringUtils.capitalize(other.group(1)), other.group(2));
		}
		Matcher redis = REDIS.matcher(info);
		return new ServerVersion("Redis", redis.find() ? redis.group(1) : UNKNOWN);
	}

	/**
	 * Refuse a server that is too old, and close its connection. One that does not let us
	 * ask is taken to be new enough.
	 */
	static CompletableFuture<StatefulConnection<byte[], byte[]>> check(StatefulConnection<byte[], byte[]> connection) {
		Sent info = new Sent(CommandType.INFO, Sent.args().add("server"), PATIENCE).on(connection);
		return info.handle((answer, error) -> {
			if (error != null) {
				logger.debug("The server does not tell its version", error);
				return connection;
			}
			ServerVersion version = parse(Answers.utf8(answer.get(0)));
			if (!version.isSupported()) {
				connection.closeAsync();
				throw new JobStoreException("%s is too old: Steady Jobs needs Redis 6.2 or Valkey".formatted(version));
			}
			return connection;
		});
	}

	/**
	 * Return whether the server has the commands that the scripts use, which came with
	 * Redis 6.2. A server that hides its version is taken to have them.
	 * @return whether the server can be used
	 */
	public boolean isSupported() {
		Matcher numbers = Pattern.compile("^(\\d+)\\.(\\d+)").matcher(this.version);
		if (!numbers.find()) {
			return true;
		}
		int major = Integer.parseInt(numbers.group(1));
		return major > 6 || (major == 6 && Integer.parseInt(numbers.group(2)) >= 2);
	}

	/**
	 * Return whether a script may begin with flags, as since Redis 7. A server that hides
	 * its version is taken not to know them.
	 */
	boolean hasScriptFlags() {
		return isTested() && !this.version.startsWith("6.") && isKnown();
	}

	/**
	 * Return whether this is a product that Steady Jobs is made for.
	 * @return whether it is Redis or Valkey
	 */
	public boolean isTested() {
		return this.product.equals("Redis") || this.product.equals("Valkey");
	}

	/**
	 * Return whether the server tells its version.
	 * @return whether there is a version to judge by
	 */
	public boolean isKnown() {
		return !this.version.equals(UNKNOWN);
	}

	@Override
	public String toString() {
		return this.product + " " + this.version;
	}

}
