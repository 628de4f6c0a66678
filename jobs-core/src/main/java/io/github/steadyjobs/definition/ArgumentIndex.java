package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobType;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds jobs by the type of their only argument.
 */
final class ArgumentIndex {

	private final Map<Class<?>, List<JobDefinition>> declared = new HashMap<>();

	private final Map<Class<?>, JobDefinition> found = new ConcurrentHashMap<>();

	private final Function<String, @Nullable JobDefinition> byName;

	private final DefinitionFactory factory;

	ArgumentIndex(List<JobDefinition> all, Function<String, @Nullable JobDefinition> byName,
			DefinitionFactory factory) {
		this.byName = byName;
		this.factory = factory;
		for (JobDefinition definition : all) {
			Class<?> type = definition.onlyArgument();
			if (type != null) {
				this.declared.computeIfAbsent(type, (key) -> new ArrayList<>()).add(definition);
			}
		}
	}

	JobDefinition find(Class<?> type) {
		return this.found.computeIfAbsent(type, this::search);
	}

	private JobDefinition search(Class<?> argument) {
		// A constant with a body is of a class below the enum.
		boolean constant = Enum.class.isAssignableFrom(argument) && !argument.isEnum();
		Class<?> type = constant ? argument.getSuperclass() : argument;
		List<JobDefinition> candidates = this.declared.getOrDefault(type, List.of());
		if (candidates.size() == 1) {
			return candidates.get(0);
		}
		JobType annotation = AnnotatedElementUtils.findMergedAnnotation(type, JobType.class);
		if (annotation == null) {
			throw new InvalidJobException(candidates.isEmpty() ? none(type) : several(type, candidates));
		}
		JobDefinition named = this.factory.create(type, annotation);
		JobDefinition here = this.byName.apply(named.name());
		return (here != null) ? here : named;
	}

	private String none(Class<?> type) {
		String near = this.declared.keySet()
			.stream()
			.filter((other) -> other.isAssignableFrom(type))
			.map((other) -> " Job '%s' takes %s, which is above it; a subclass would come back without what it adds."
				.formatted(names(this.declared.getOrDefault(other, List.of())), other.getName()))
			.collect(Collectors.joining());
		return "No job takes a single argument of type %s.%s Put @Job on a method of a bean that takes one, or, if the bean is in another application, @JobType(\"its name\") on %s."
			.formatted(type.getName(), near, type.getSimpleName());
	}

	private static String several(Class<?> type, List<JobDefinition> candidates) {
		return "Several jobs take a single argument of type %s: '%s'. Say which one, with enqueue(Class, call) or JobRequest.named(…)."
			.formatted(type.getName(), names(candidates));
	}

	private static String names(List<JobDefinition> definitions) {
		return definitions.stream().map(JobDefinition::name).sorted().collect(Collectors.joining("', '"));
	}

}
