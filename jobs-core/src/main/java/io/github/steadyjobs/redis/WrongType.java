package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A key of this library that holds a value of the wrong type.
 *
 * @param queue the queue to which the key belongs; empty if the key belongs to no queue
 * @param key the full name of the key
 * @param expected the type that the value should have, such as "list"
 * @param found the type that the value has
 */
public record WrongType(String queue, String key, String expected, String found) {

	/** Find, in one round trip, keys of queues whose values have a wrong type. */
	public static List<WrongType> inQueues(Collection<String> queues, StoreCalls calls) {
		List<WrongType> candidates = new ArrayList<>();
		for (String queue : queues) {
			for (QueuePart part : QueuePart.values()) {
				candidates.add(new WrongType(queue, text(calls.keys().queue(queue).get(part)), part.type(), ""));
			}
		}
		return among(candidates, calls.commands());
	}

	/**
	 * Find values of a wrong type in keys that belong to no queue: the names of queues
	 * and processes, the reports of processes, leases, shard counts and pauses.
	 */
	public static List<WrongType> outsideOfQueues(StoreCalls calls) {
		KeySpace keys = calls.keys();
		PlainCommands commands = calls.commands();
		String processes = text(keys.processNames());
		List<WrongType> wrong = new ArrayList<>(among(List.of(new WrongType("", text(keys.queueNames()), "set", ""),
				new WrongType("", processes, "set", ""), new WrongType("", text(keys.sweeper()), "string", ""),
				new WrongType("", text(keys.isolating()), "string", ""),
				new WrongType("", text(keys.shards()), "hash", ""), new WrongType("", text(keys.pauses()), "hash", ""),
				new WrongType("", text(keys.recurring()), "hash", "")), commands));
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
			if (KeyTypes.differ(candidate.expected(), found)) {
				wrong.add(new WrongType(candidate.queue(), candidate.key(), candidate.expected(), found));
			}
		}
		return wrong;
	}

	/**
	 * Return whether this is the key with the names of all queues, which cannot be read.
	 */
	public boolean holdsQueueNames() {
		return this.queue.isEmpty() && this.key.endsWith(":queues");
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
