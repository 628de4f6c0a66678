package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;

/**
 * A key of ours whose value has a type that no script of ours writes.
 *
 * @param queue the queue of the key, empty if it belongs to none
 * @param key the whole name of the key
 * @param expected the type that it should have, such as "list"
 * @param found the type that it has
 */
public record WrongType(String queue, String key, String expected, String found) {

	private static final Pattern OF_QUEUE = Pattern.compile(".*:\\{(.+)}:(\\w+)");

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/** Find the keys of queues that have a wrong type, in one round trip. */
	public static List<WrongType> inQueues(Collection<String> queues, StoreCalls calls) {
		List<WrongType> candidates = new ArrayList<>();
		for (String queue : queues) {
			for (QueuePart part : QueuePart.values()) {
				candidates.add(new WrongType(queue, text(calls.keys().queue(queue).get(part)), part.type(), ""));
			}
		}
		return among(candidates, calls.commands());
	}

	/** Find the keys that belong to no queue and have a wrong type. */
	public static List<WrongType> outsideOfQueues(StoreCalls calls) {
		KeySpace keys = calls.keys();
		PlainCommands commands = calls.commands();
		String processes = text(keys.processNames());
		List<WrongType> wrong = new ArrayList<>(among(List.of(new WrongType("", text(keys.queueNames()), "set", ""),
				new WrongType("", processes, "set", ""), new WrongType("", text(keys.sweeper()), "string", ""),
				new WrongType("", text(keys.isolating()), "string", ""),
				new WrongType("", text(keys.shards()), "hash", ""), new WrongType("", text(keys.pauses()), "hash", "")),
				commands));
		if (wrong.stream().map(WrongType::key).noneMatch(processes::equals)) {
			wrong.addAll(among(commands.members(keys.processNames())
				.stream()
				.map((process) -> new WrongType("", text(keys.process(process)), "hash", ""))
				.toList(), commands));
		}
		return wrong;
	}

	private static List<WrongType> among(List<WrongType> candidates, PlainCommands commands) {
		List<CompletableFuture<String>> types = commands
			.types(candidates.stream().map((candidate) -> bytes(candidate.key())).toList());
		long deadline = commands.deadline();
		List<WrongType> wrong = new ArrayList<>();
		for (int i = 0; i < types.size(); i++) {
			WrongType candidate = candidates.get(i);
			String found = Answers.await(types.get(i), deadline);
			if (differs(candidate.expected(), found)) {
				wrong.add(new WrongType(candidate.queue(), candidate.key(), candidate.expected(), found));
			}
		}
		return wrong;
	}

	private static boolean differs(String expected, String found) {
		return !found.equals(expected) && !found.equals("none");
	}

	/**
	 * Find out which key made Redis refuse a call, because the error does not say. Does
	 * not block.
	 * @return a failure that names the key, or the same failure if it cannot be found out
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
			String key = text(keys.get(i));
			String found = types.get(i);
			Matcher parts = OF_QUEUE.matcher(key);
			if (parts.matches()) {
				queue = parts.group(1);
				String name = parts.group(2);
				Stream.of(QueuePart.values())
					.filter((part) -> part.text().equals(name) && differs(part.type(), found))
					.forEach((part) -> wrong.add("'%s' is a %s and has to be a %s".formatted(key, found, part.type())));
			}
			else {
				wrong.add("'%s' is a %s".formatted(key, found));
			}
		}
		return wrong.isEmpty() ? "a key of queue '%s' holds a value that no script of ours writes".formatted(queue)
				: String.join(", ", wrong);
	}

	private static String text(byte[] key) {
		return new String(key, StandardCharsets.UTF_8);
	}

	private static byte[] bytes(String key) {
		return key.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return "%s is a %s and has to be a %s".formatted(this.key, this.found, this.expected);
	}

}
