package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds jobs by their method.
 */
final class CallIndex {

	private final Map<Call, JobDefinition> found = new ConcurrentHashMap<>();

	private final List<JobDefinition> all;

	private final DefinitionFactory factory;

	CallIndex(List<JobDefinition> all, DefinitionFactory factory) {
		this.all = all;
		this.factory = factory;
	}

	JobDefinition find(Class<?> jobClass, Method method) {
		return this.found.computeIfAbsent(new Call(jobClass, method), this::search);
	}

	private JobDefinition search(Call call) {
		Class<?> type = ClassUtils.getUserClass(call.type());
		List<JobDefinition> candidates = this.all.stream()
			.filter((definition) -> isMethod(definition, type, call.method()))
			.toList();
		List<JobDefinition> exact = candidates.stream().filter((definition) -> definition.beanType() == type).toList();
		List<JobDefinition> chosen = exact.isEmpty() ? candidates : exact;
		if (chosen.size() > 1) {
			throw new InvalidJobException("%s is a job of several beans: '%s'. Call it on the class of one of them."
				.formatted(describe(type, call.method()),
						chosen.stream().map(JobDefinition::name).sorted().collect(Collectors.joining("', '"))));
		}
		return chosen.isEmpty() ? withoutBean(type, call.method()) : chosen.get(0);
	}

	private static boolean isMethod(JobDefinition definition, Class<?> type, Method method) {
		Class<?> beanType = Objects.requireNonNull(definition.beanType());
		return type.isAssignableFrom(beanType)
				&& AopUtils.getMostSpecificMethod(method, beanType).equals(definition.method());
	}

	private JobDefinition withoutBean(Class<?> type, Method method) {
		Problems problems = new Problems();
		Method specific = AopUtils.getMostSpecificMethod(method, type);
		JobMethod job = JobMethod.find(type, problems)
			.stream()
			.filter((candidate) -> candidate.method().equals(specific))
			.findAny()
			.orElseThrow(
					() -> new InvalidJobException("%s is not a job. Put @Job on the method, or call one that has it."
						.formatted(describe(type, method))));
		if (Modifier.isAbstract(type.getModifiers()) && job.annotation().name().isEmpty()) {
			throw new InvalidJobException(
					"%s has no bean here, and the name of its job depends on the class of the bean. Set @Job(name = \"…\")."
						.formatted(describe(type, method)));
		}
		JobDefinition definition = this.factory.create(job, null, problems);
		problems.throwInvalidJobIfAny();
		return definition;
	}

	private static String describe(Class<?> type, Method method) {
		return ClassUtils.getQualifiedMethodName(method, type);
	}

	/**
	 * A method as it is called on a class.
	 */
	private record Call(Class<?> type, Method method) {

	}

}
