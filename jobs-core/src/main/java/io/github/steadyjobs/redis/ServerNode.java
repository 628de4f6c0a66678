package io.github.steadyjobs.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;

/**
 * A server that can be queried about itself. Each method throws a
 * {@link JobStoreException} if Redis refused the call, is not reachable or did not
 * answer. Thread safe.
 */
public final class ServerNode {

	private final String name;

	private final StatefulConnection<byte[], byte[]> connection;

	private final Duration timeout;

	private ServerNode(String name, StatefulConnection<byte[], byte[]> connection, Duration timeout) {
		this.name = name;
		this.connection = connection;
		this.timeout = timeout;
	}

	/** Return the server or, in a cluster, all primaries. */
	public static List<ServerNode> all(RedisConnections connections) {
		Duration timeout = connections.commandTimeout();
		List<ServerNode> nodes = new ArrayList<>();
		Answers.await(connections.commands().all(), timeout)
			.forEach((name, held) -> nodes.add(new ServerNode(name, held.get(), timeout)));
		return nodes;
	}

	/** Return the host and port of a cluster node; empty for a single server. */
	public String name() {
		return this.name;
	}

	/** Return the fields of {@code INFO}, or an empty map if the user may not call it. */
	public Map<String, String> info() {
		return Answers.await(
				Sent.ask(this.connection, new CommandBytes(CommandType.INFO), this.timeout).handle((answer, error) -> {
					if (error == null) {
						return Answers.info(answer);
					}
					if (RedisErrors.isDenied(error)) {
						return Map.of();
					}
					throw RedisErrors.translate(error);
				}), this.timeout);
	}

	/** Return the current time, by the clock of the server. */
	public Instant time() {
		List<Object> answer = Answers.await(Sent.ask(this.connection, new CommandBytes(CommandType.TIME), this.timeout),
				this.timeout);
		return Instant.ofEpochSecond(Long.parseLong(Answers.text(answer, 0)))
			.plus(Long.parseLong(Answers.text(answer, 1)), ChronoUnit.MICROS);
	}

}
