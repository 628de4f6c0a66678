package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import io.github.steadyjobs.definition.JobRegistry;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;

/**
 * Prevents the start of an application that has recurring jobs but not the module that
 * runs them. Otherwise, these jobs would silently not run.
 */
final class MissingRecurring implements SmartInitializingSingleton {

	private static final String ACTION = "Add the dependency io.github.steadyjobs:jobs-recurring, which jobs-spring-boot-starter has, or remove %s.";

	private final JobRegistry registry;

	private final Map<String, String> properties;

	MissingRecurring(JobRegistry registry, Map<String, String> properties) {
		this.registry = registry;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<Problem> problems = Stream.concat(
				this.registry.definitions()
					.stream()
					.filter((job) -> job.hasBean() && isRecurring(job))
					.map((job) -> new Problem(
							"Job %s is @Recurring, and jobs-recurring is not on the class path.".formatted(job),
							ACTION.formatted("@Recurring"))),
				this.properties.keySet()
					.stream()
					.map((name) -> new Problem(
							"'steadyjobs.recurring.%s' is set, and jobs-recurring is not on the class path."
								.formatted(name),
							ACTION.formatted("the property"))))
			.toList();
		if (!problems.isEmpty()) {
			throw new JobDefinitionException(problems);
		}
	}

	private static boolean isRecurring(JobDefinition job) {
		return Stream.of(Objects.requireNonNull(job.method()), Objects.requireNonNull(job.beanType()))
			.anyMatch((declared) -> MergedAnnotations
				.from(declared, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
				.isPresent(Recurring.class));
	}

}
