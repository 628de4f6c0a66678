package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;

/**
 * Finds out which key made Redis refuse a call, as its error does not say.
 */
final class DamagedKeys {

	private static final Pattern OF_QUEUE = Pattern.compile(".*:\\{(.+)}:(\\w+)");

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private DamagedKeys() {
	}

	/**
	 * Look at the types of the keys of a call, without blocking.
	 * @param failure what the call fails with
	 * @param connection the connection that the call was sent over
	 * @return a failure that names what is wrong, or the same if that cannot be found out
	 */
	static CompletableFuture<JobStoreException> name(List<byte[]> keys, JobStoreException failure,
			StatefulConnection<byte[], byte[]> connection) {
		List<Sent> types = keys.stream()
			.map((key) -> new Sent(CommandType.TYPE, Sent.args().addKey(key), PATIENCE))
			.toList();
		Sent.dispatch(connection, types);
		return CompletableFuture.allOf(types.stream().map(Sent::toCompletableFuture).toArray(CompletableFuture[]::new))
			.handle((all,
					error) -> (error == null) ? RedisErrors.damaged(
							describe(keys, types.stream().map((type) -> Answers.text(type.join(), 0)).toList()),
							failure.getCause()) : failure);
	}

	private static String describe(List<byte[]> keys, List<String> types) {
		List<String> wrong = new ArrayList<>();
		String queue = "";
		for (int i = 0; i < keys.size(); i++) {
			String key = new String(keys.get(i), StandardCharsets.UTF_8);
			String type = types.get(i);
			Matcher parts = OF_QUEUE.matcher(key);
			if (parts.matches()) {
				queue = parts.group(1);
				partOf(parts.group(2)).filter((part) -> !type.equals(part.type()) && !type.equals("none"))
					.map((part) -> "'%s' is a %s and has to be a %s".formatted(key, type, part.type()))
					.forEach(wrong::add);
			}
			else {
				wrong.add("'%s' is a %s".formatted(key, type));
			}
		}
		return wrong.isEmpty() ? "a key of queue '%s' holds a value that no script of ours writes".formatted(queue)
				: String.join(", ", wrong);
	}

	private static Stream<QueuePart> partOf(String name) {
		return Stream.of(QueuePart.values()).filter((part) -> part.text().equals(name));
	}

}
