package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Compares the types of keys with what they should be. Thread safe.
 */
final class KeyTypes {

	private final KeySpace keys;

	private final PlainCommands commands;

	KeyTypes(KeySpace keys, PlainCommands commands) {
		this.keys = keys;
		this.commands = commands;
	}

	/**
	 * Find the keys of queues that have a wrong type, in one round trip.
	 */
	List<WrongType> ofQueues(Collection<String> queues) {
		List<Expectation> expected = new ArrayList<>();
		for (String queue : queues) {
			QueueKeys keys = this.keys.queue(queue);
			for (QueuePart part : QueuePart.values()) {
				expected.add(new Expectation(queue, keys.get(part), part.type()));
			}
		}
		return differing(expected);
	}

	/**
	 * Find the keys outside of queues that have a wrong type.
	 */
	List<WrongType> outsideOfQueues() {
		List<WrongType> wrong = new ArrayList<>(differing(List.of(new Expectation("", this.keys.queueNames(), "set"),
				new Expectation("", this.keys.processNames(), "set"),
				new Expectation("", this.keys.sweeper(), "string"),
				new Expectation("", this.keys.isolating(), "string"))));
		String names = new String(this.keys.processNames(), StandardCharsets.UTF_8);
		if (wrong.stream().map(WrongType::key).noneMatch(names::equals)) {
			wrong.addAll(differing(this.commands.members(this.keys.processNames())
				.stream()
				.map((process) -> new Expectation("", this.keys.process(process), "hash"))
				.toList()));
		}
		return wrong;
	}

	private List<WrongType> differing(List<Expectation> expected) {
		List<CompletableFuture<String>> types = this.commands.types(expected.stream().map(Expectation::key).toList());
		long deadline = this.commands.deadline();
		List<WrongType> wrong = new ArrayList<>();
		for (int i = 0; i < expected.size(); i++) {
			String type = Waiting.await(types.get(i), deadline);
			Expectation key = expected.get(i);
			if (!type.equals(key.type()) && !type.equals("none")) {
				wrong.add(new WrongType(key.queue(), new String(key.key(), StandardCharsets.UTF_8), key.type(), type));
			}
		}
		return wrong;
	}

	private record Expectation(String queue, byte[] key, String type) {

	}

}
