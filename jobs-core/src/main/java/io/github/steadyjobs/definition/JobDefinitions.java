package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * A snapshot of the jobs that were found, indexed by name, by argument and by method.
 */
final class JobDefinitions {

	private final List<JobDefinition> all;

	private final Map<String, JobDefinition> byName = new LinkedHashMap<>();

	private final Map<String, JobDefinition> orderedByQueue = new HashMap<>();

	private final Map<Class<?>, List<JobDefinition>> byArgument = new HashMap<>();

	private final Map<Class<?>, JobDefinition> foundByArgument = new ConcurrentHashMap<>();

	/** Jobs whose beans are in other applications, but which are configured here. */
	private final Map<String, JobDefinition> configured = new ConcurrentHashMap<>();

	private final Map<Call, JobDefinition> foundByCall = new ConcurrentHashMap<>();

	private final DefinitionReader reader;

	/**
	 * Index jobs.
	 * @param problems receives names that do not identify a single method, and queues
	 * that an ordered job would share with other jobs
	 */
	JobDefinitions(List<JobDefinition> all, DefinitionReader reader, Problems problems) {
		this.all = List.copyOf(all);
		this.reader = reader;
		for (JobDefinition definition : all) {
			for (String name : definition.names()) {
				JobDefinition other = this.byName.putIfAbsent(name, definition);
				if (other != null) {
					reportClash(name, other, definition, problems);
				}
			}
			if (definition.sequence() != null) {
				this.orderedByQueue.putIfAbsent(definition.queue(), definition);
			}
			Class<?> argument = definition.parameters().onlyType();
			if (argument != null) {
				this.byArgument.computeIfAbsent(argument, (type) -> new ArrayList<>()).add(definition);
			}
		}
		all.forEach((definition) -> checkQueues(definition, problems));
	}

	private static void reportClash(String name, JobDefinition first, JobDefinition second, Problems problems) {
		BeanCall one = Objects.requireNonNull(first.bean());
		BeanCall other = Objects.requireNonNull(second.bean());
		if (one.beanName().equals(other.beanName())) {
			problems.add(
					"%s and %s are two jobs named '%s'.".formatted(one.method().method().toGenericString(),
							other.method().method().toGenericString(), name),
					"Name one of them: @Job(name = \"…\"). Jobs already in Redis keep the name they were stored under.");
		}
		else if (one.method().equals(other.method())) {
			problems.add(
					"The beans '%s' and '%s' are both of type %s, so job '%s' does not say which is to run it."
						.formatted(one.beanName(), other.beanName(), one.method().type().getName(), name),
					"Leave one of the beans, or make a subclass for each with a @Job name of its own.");
		}
		else {
			problems.add(
					"The beans '%s' (%s) and '%s' (%s) both take the job name '%s'.".formatted(one.beanName(),
							one.method(), other.beanName(), other.method(), name),
					"Rename one of them with @Job(name = \"…\"), or remove the alias. Jobs already in Redis keep the name they were stored under.");
		}
	}

	private void checkQueues(JobDefinition job, Problems problems) {
		JobDefinition owner = this.orderedByQueue.get(job.queue());
		if (owner != null && !owner.name().equals(job.name())) {
			problems.add(
					"Job %s is @Sequential, and job %s has the same queue '%s'.".formatted(owner, job, job.queue()),
					"Give one of them another queue with @Job(queue = \"…\"): an ordered job has one to itself.");
		}
		JobDefinition taken = this.orderedByQueue.get(job.retry().limits().retryQueue());
		if (taken != null && job.sequence() == null) {
			problems.add("Job %s is @Sequential, and job %s is to be retried in its queue '%s'.".formatted(taken, job,
					taken.queue()), "Set another 'retryQueue': an ordered job has its queue to itself.");
		}
	}

	List<JobDefinition> all() {
		return this.all;
	}

	@Nullable JobDefinition orderedIn(String queue) {
		return this.orderedByQueue.get(queue);
	}

	Set<String> names() {
		return Set.copyOf(this.byName.keySet());
	}

	@Nullable JobDefinition find(String name) {
		return this.byName.get(name);
	}

	/**
	 * Find a job that is enqueued by name.
	 * @return the definition, or {@code null} if the application neither has its bean nor
	 * configures it
	 */
	@Nullable JobDefinition named(String name) {
		JobDefinition found = find(name);
		return (found != null) ? found : this.configured.computeIfAbsent(name, this.reader::readConfigured);
	}

	JobDefinition forArgument(Class<?> type) {
		return this.foundByArgument.computeIfAbsent(type, this::searchArgument);
	}

	private JobDefinition searchArgument(Class<?> argument) {
		// An enum constant with a body has a subclass of the enum as its class.
		boolean constant = Enum.class.isAssignableFrom(argument) && !argument.isEnum();
		Class<?> type = constant ? argument.getSuperclass() : argument;
		List<JobDefinition> candidates = this.byArgument.getOrDefault(type, List.of());
		if (candidates.size() == 1) {
			return candidates.get(0);
		}
		JobType annotation = AnnotatedElementUtils.findMergedAnnotation(type, JobType.class);
		if (annotation != null) {
			JobDefinition named = this.reader.read(type, annotation);
			return this.byName.getOrDefault(named.name(), named);
		}
		if (candidates.isEmpty()) {
			throw new InvalidJobException(
					"No job takes a single argument of type %s.%s Put @Job on a method of a bean that takes one, or, if the bean is in another application, @JobType(\"its name\") on %s."
						.formatted(type.getName(), describeNear(type), type.getSimpleName()));
		}
		throw new InvalidJobException(
				"Several jobs take a single argument of type %s: '%s'. Say which one, with enqueue(Class, call) or JobRequest.named(…)."
					.formatted(type.getName(), join(candidates)));
	}

	private String describeNear(Class<?> type) {
		return this.byArgument.entrySet()
			.stream()
			.filter((other) -> other.getKey().isAssignableFrom(type))
			.map((other) -> " Job '%s' takes %s, which is above it; a subclass would come back without its additions."
				.formatted(join(other.getValue()), other.getKey().getName()))
			.collect(Collectors.joining());
	}

	JobDefinition forCall(Class<?> jobClass, Method method) {
		return this.foundByCall.computeIfAbsent(new Call(ClassUtils.getUserClass(jobClass), method), this::searchCall);
	}

	private JobDefinition searchCall(Call call) {
		List<JobDefinition> candidates = this.all.stream().filter(call::means).toList();
		List<JobDefinition> exact = candidates.stream()
			.filter((definition) -> definition.beanType() == call.type())
			.toList();
		List<JobDefinition> chosen = exact.isEmpty() ? candidates : exact;
		if (chosen.size() > 1) {
			throw new InvalidJobException("%s is a job of several beans: '%s'. Call it on the class of one of them."
				.formatted(call, join(chosen)));
		}
		return chosen.isEmpty() ? readWithoutBean(call) : chosen.get(0);
	}

	private JobDefinition readWithoutBean(Call call) {
		Problems problems = new Problems();
		Method specific = AopUtils.getMostSpecificMethod(call.method(), call.type());
		BeanMethod<Job> job = JobMethods.find(call.type(), problems)
			.stream()
			.filter((candidate) -> candidate.method().equals(specific))
			.findAny()
			.orElseThrow(() -> new InvalidJobException(
					"%s is not a job. Put @Job on the method, or call one that has it.".formatted(call)));
		if (Modifier.isAbstract(call.type().getModifiers()) && job.annotation().name().isEmpty()) {
			throw new InvalidJobException(
					"%s has no bean here, and the name of its job depends on the class of the bean. Set @Job(name = \"…\")."
						.formatted(call));
		}
		JobDefinition definition = this.reader.read(job, null, problems);
		problems.throwInvalidJobIfAny();
		return definition;
	}

	private static String join(Collection<JobDefinition> definitions) {
		return definitions.stream().map(JobDefinition::name).sorted().collect(Collectors.joining("', '"));
	}

	/** A method and the class on which it is called. */
	private record Call(Class<?> type, Method method) {

		boolean means(JobDefinition definition) {
			Class<?> beanType = Objects.requireNonNull(definition.beanType());
			return this.type.isAssignableFrom(beanType)
					&& AopUtils.getMostSpecificMethod(this.method, beanType).equals(definition.method());
		}

		@Override
		public String toString() {
			return ClassUtils.getQualifiedMethodName(this.method, this.type);
		}

	}

}
