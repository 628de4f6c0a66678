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
 * Compares the types of the values of keys with the types that they should have.
 */
final class KeyTypes {

	private static final Pattern OF_QUEUE = Pattern.compile(".*:\\{(.+)}:(\\w+)");

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private KeyTypes() {
	}

	/** Return whether a value exists and its type differs from the expected type. */
	static boolean differ(String expected, String found) {
		return !found.equals(expected) && !found.equals("none");
	}

	/**
	 * Find out which key made Redis refuse a call, because the error does not name the
	 * key. Does not block.
	 * @return a failure that names the key, or the given failure if the types of the keys
	 * cannot be read
	 */
	static CompletableFuture<JobStoreException> explain(List<byte[]> keys, JobStoreException failure,
			StatefulConnection<byte[], byte[]> connection) {
		List<CompletableFuture<List<Object>>> types = new ArrayList<>();
		List<Sent> questions = new ArrayList<>();
		for (byte[] key : keys) {
			CompletableFuture<List<Object>> type = new CompletableFuture<>();
			types.add(type);
			questions.add(Sent.of(new CommandBytes(CommandType.TYPE).add(key), PATIENCE, type));
		}
		Sent.dispatch(connection, questions);
		return CompletableFuture.allOf(types.toArray(CompletableFuture[]::new))
			.handle((all, error) -> (error != null) ? failure
					: RedisErrors.damaged(
							describe(keys, types.stream().map((type) -> Answers.text(type.join(), 0)).toList()),
							failure.getCause()));
	}

	private static String describe(List<byte[]> keys, List<String> types) {
		List<String> wrong = new ArrayList<>();
		String queue = "";
		for (int i = 0; i < keys.size(); i++) {
			String key = new String(keys.get(i), StandardCharsets.UTF_8);
			String found = types.get(i);
			Matcher parts = OF_QUEUE.matcher(key);
			if (parts.matches()) {
				queue = parts.group(1);
				String name = parts.group(2);
				Stream.of(QueuePart.values())
					.filter((part) -> part.text().equals(name) && differ(part.type(), found))
					.forEach((part) -> wrong.add("'%s' is a %s and has to be a %s".formatted(key, found, part.type())));
			}
			else {
				wrong.add("'%s' is a %s".formatted(key, found));
			}
		}
		return wrong.isEmpty() ? "a key of queue '%s' holds a value that no script of ours writes".formatted(queue)
				: String.join(", ", wrong);
	}

}
