package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.Names;
import org.jspecify.annotations.Nullable;

/**
 * A queue in the list of a capsule, written as in Sidekiq: {@code name} or
 * {@code name,weight}.
 *
 * @param name the name of the queue
 * @param weight the weight; {@code null} if it is not specified
 */
record QueueSpec(String name, @Nullable Integer weight) {

	/**
	 * Text that looks like a weight, whether or not it is valid.
	 */
	private static final String NUMBER = "[-+]?\\d+([.]\\d*)?";

	/**
	 * Read a list of queues.
	 * @param property the full name of the property that contains the list
	 * @param elements the elements of the list
	 * @return the queues
	 * @throws JobsPropertyException if an element is invalid, or a queue occurs twice
	 */
	static List<QueueSpec> parseAll(String property, List<String> elements) {
		List<QueueSpec> specs = new ArrayList<>();
		for (String text : rejoin(elements)) {
			QueueSpec spec = parse(property, text);
			JobsPropertyException.throwUnless(specs.stream().noneMatch((other) -> other.name().equals(spec.name())),
					property, String.join(",", elements),
					"It has the queue '%s' twice. To serve a queue more often, give it a weight, as in '%s,2'."
						.formatted(spec.name(), spec.name()));
			specs.add(spec);
		}
		return List.copyOf(specs);
	}

	private static QueueSpec parse(String property, String text) {
		String[] parts = text.split(",", 2);
		String name = parts[0].trim();
		JobsPropertyException.throwUnless(Names.isName(name) && (parts.length == 1 || isWeight(parts[1])), property,
				text, "Write a queue as 'name' or 'name,weight', as in 'critical,6'. The name is " + Names.RULE
						+ ", the weight 1 to 1000.");
		return new QueueSpec(name, (parts.length == 1) ? null : Integer.valueOf(parts[1].trim()));
	}

	/**
	 * Rejoin queues and weights that were separated because they look like elements of a
	 * comma-separated list.
	 */
	private static List<String> rejoin(List<String> elements) {
		List<String> specs = new ArrayList<>();
		for (String element : elements) {
			String text = element.trim();
			if (!specs.isEmpty() && text.matches(NUMBER) && !specs.get(specs.size() - 1).contains(",")) {
				specs.set(specs.size() - 1, specs.get(specs.size() - 1) + "," + text);
			}
			else {
				specs.add(text);
			}
		}
		return specs;
	}

	private static boolean isWeight(String text) {
		String number = text.trim();
		return number.matches("\\d{1,6}") && JobsProperties.isWeight(Integer.parseInt(number));
	}

}
