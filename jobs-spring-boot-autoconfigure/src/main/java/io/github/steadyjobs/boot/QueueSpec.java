package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A queue in the list of a capsule, written as Sidekiq does: {@code name} or
 * {@code name,weight}.
 *
 * @param name the name of the queue
 * @param weight the weight, {@code null} where none is written
 */
record QueueSpec(String name, @Nullable Integer weight) {

	static QueueSpec parse(String text) {
		String[] parts = text.split(",", 2);
		String name = parts[0].trim();
		JobsProperties.checkName("queues", name);
		if (parts.length == 1) {
			return new QueueSpec(name, null);
		}
		Assert.isTrue(isNumber(parts[1].trim()),
				() -> "'%s' is no queue. Write 'name' or 'name,weight', as in 'critical,6'.".formatted(text));
		return new QueueSpec(name, Integer.valueOf(parts[1].trim()));
	}

	/**
	 * Put weights back to their queues, where a comma-separated list has torn them apart.
	 */
	static List<String> rejoin(List<String> elements) {
		List<String> specs = new ArrayList<>();
		for (String element : elements) {
			String text = element.trim();
			if (!specs.isEmpty() && isNumber(text) && !specs.get(specs.size() - 1).contains(",")) {
				specs.set(specs.size() - 1, specs.get(specs.size() - 1) + "," + text);
			}
			else {
				specs.add(text);
			}
		}
		return List.copyOf(specs);
	}

	private static boolean isNumber(String text) {
		return text.matches("\\d{1,6}");
	}

}
