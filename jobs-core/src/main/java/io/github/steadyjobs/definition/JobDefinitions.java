package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The jobs as they were found at one time, with the ways to look one up.
 */
final class JobDefinitions {

	private final List<JobDefinition> all;

	private final Map<String, JobDefinition> byName = new LinkedHashMap<>();

	private final ArgumentIndex byArgument;

	private final CallIndex byCall;

	JobDefinitions(List<JobDefinition> all, DefinitionFactory factory) {
		this.all = List.copyOf(all);
		for (JobDefinition definition : all) {
			this.byName.put(definition.name(), definition);
			definition.aliases().forEach((alias) -> this.byName.put(alias, definition));
		}
		this.byArgument = new ArgumentIndex(this.all, this::find, factory);
		this.byCall = new CallIndex(this.all, factory);
	}

	@Nullable JobDefinition find(String name) {
		return this.byName.get(name);
	}

	List<JobDefinition> all() {
		return this.all;
	}

	Set<String> names() {
		return Set.copyOf(this.byName.keySet());
	}

	ArgumentIndex byArgument() {
		return this.byArgument;
	}

	CallIndex byCall() {
		return this.byCall;
	}

	/**
	 * Refuse names that do not say which method to run.
	 * @param definitions jobs with beans
	 * @param problems takes what is wrong
	 */
	static void checkNames(List<JobDefinition> definitions, Problems problems) {
		Map<String, List<BeanCall>> byName = new LinkedHashMap<>();
		for (JobDefinition definition : definitions) {
			BeanCall call = Objects.requireNonNull(definition.bean());
			byName.computeIfAbsent(definition.name(), (name) -> new ArrayList<>()).add(call);
			definition.aliases()
				.forEach((alias) -> byName.computeIfAbsent(alias, (name) -> new ArrayList<>()).add(call));
		}
		byName.forEach((name, named) -> {
			if (named.size() > 1) {
				reportClash(name, named.get(0), named.get(1), problems);
			}
		});
	}

	private static void reportClash(String name, BeanCall first, BeanCall second, Problems problems) {
		if (first.beanName().equals(second.beanName())) {
			problems.add("%s and %s are two jobs named '%s'.".formatted(signature(first), signature(second), name),
					"Name one of them: @Job(name = \"…\"). Jobs already in Redis keep the name they were stored under.");
		}
		else if (first.method().method().equals(second.method().method())
				&& first.method().type() == second.method().type()) {
			problems.add(
					"The beans '%s' and '%s' are both of type %s, so job '%s' does not say which is to run it."
						.formatted(first.beanName(), second.beanName(), first.method().type().getName(), name),
					"Leave one of the beans, or make a subclass for each with a @Job name of its own.");
		}
		else {
			problems.add(
					"The beans '%s' (%s) and '%s' (%s) both take the job name '%s'.".formatted(first.beanName(),
							first.method(), second.beanName(), second.method(), name),
					"Rename one of them with @Job(name = \"…\"), or remove the alias. Jobs already in Redis keep the name they were stored under.");
		}
	}

	private static String signature(BeanCall call) {
		return call.method().method().toGenericString();
	}

}
