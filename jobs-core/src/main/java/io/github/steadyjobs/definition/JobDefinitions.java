package io.github.steadyjobs.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

}
