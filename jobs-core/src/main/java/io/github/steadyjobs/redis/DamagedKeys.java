package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreDamagedException;
import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;

/**
 * Finds out which key made Redis refuse a call, as its error does not say.
 */
final class DamagedKeys {

	private static final Pattern OF_QUEUE = Pattern.compile(".*:\\{(.+)}:(\\w+)");

	private DamagedKeys() {
	}

	/**
	 * Fail a call. If a key is damaged, its types are looked at first, without blocking.
	 * @param answer the call
	 * @param failure what to fail it with
	 * @param keys the keys of the call
	 * @param connection the connection that the call was sent over
	 */
	static void fail(CompletableFuture<?> answer, JobStoreException failure, List<byte[]> keys,
			StatefulConnection<byte[], byte[]> connection) {
		if (!(failure instanceof JobStoreDamagedException)) {
			answer.completeExceptionally(failure);
			return;
		}
		List<CompletableFuture<String>> types = new ArrayList<>();
		try {
			for (byte[] key : keys) {
				types.add(new DirectCommand(CommandType.TYPE, (args) -> args.addKey(key)).send(connection)
					.thenApply((type) -> Answers.text(type, 0)));
			}
		}
		catch (RedisException ex) {
			answer.completeExceptionally(failure);
			return;
		}
		CompletableFuture.allOf(types.toArray(CompletableFuture[]::new))
			.whenComplete((all, unknown) -> answer.completeExceptionally(
					(unknown == null) ? RedisErrors.damaged(describe(keys, types), failure.getCause()) : failure));
	}

	private static String describe(List<byte[]> keys, List<CompletableFuture<String>> types) {
		List<String> wrong = new ArrayList<>();
		String queue = "";
		for (int i = 0; i < keys.size(); i++) {
			String key = new String(keys.get(i), StandardCharsets.UTF_8);
			String type = types.get(i).join();
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
