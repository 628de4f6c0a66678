package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Finds the methods of a bean to call when retries are exhausted, and assigns each to its
 * job.
 */
final class ExhaustedMethods {

	private static final Set<Class<?>> EXTRAS = Set.of(JobPayload.class, Throwable.class);

	private final JobBeans beans;

	private final Problems problems;

	ExhaustedMethods(JobBeans beans, Problems problems) {
		this.beans = beans;
		this.problems = problems;
	}

	/** Return a bean's jobs, each with its method for exhausted retries if it has one. */
	List<JobDefinition> assign(String bean, Class<?> type, List<JobDefinition> jobs) {
		List<JobDefinition> assigned = new ArrayList<>(jobs);
		for (BeanMethod<RetriesExhausted> method : BeanMethod.find(type, RetriesExhausted.class)) {
			MethodRules.check(method, this.problems);
			JobDefinition job = jobOf(method, assigned);
			if (job != null && job.exhausted() != null) {
				this.problems.add("%s and %s are both a @RetriesExhausted for job '%s'."
					.formatted(job.exhausted().call().method(), method, job.name()), "Leave one of them.");
			}
			else if (job != null) {
				BeanCall call = new BeanCall(this.beans, bean, method);
				call.reportTo(this.problems);
				assigned.set(assigned.indexOf(job), job.withExhausted(exhausted(call, method, job)));
			}
		}
		return assigned;
	}

	private @Nullable JobDefinition jobOf(BeanMethod<RetriesExhausted> method, List<JobDefinition> jobs) {
		String names = jobs.stream().map(JobDefinition::name).collect(Collectors.joining("', '", "'", "'"));
		String named = method.annotation().value();
		if (jobs.isEmpty()) {
			return refuse(method, "in a bean without a @Job", "Move it to the bean of its job.");
		}
		if (jobs.stream().anyMatch((job) -> method.method().equals(job.method()))) {
			return refuse(method, "and a @Job",
					"Make them two methods: the second is called when the first has failed for good.");
		}
		if (named.isEmpty()) {
			return (jobs.size() == 1) ? jobs.get(0) : refuse(method, "in a bean with several jobs",
					"Name one of them: @RetriesExhausted(\"…\") with one of %s.".formatted(names));
		}
		String wanted = this.problems.resolve("The annotation of " + method, named, this.beans::resolve);
		for (JobDefinition job : jobs) {
			if (job.name().equals(wanted)) {
				return job;
			}
		}
		return refuse(method, "for job '%s', which its bean does not have".formatted(wanted),
				"Name a job of the same bean: %s.".formatted(names));
	}

	/** Report a problem, and return null in place of a job. */
	private @Nullable JobDefinition refuse(BeanMethod<?> method, String why, String action) {
		this.problems.add("%s is a @RetriesExhausted %s.".formatted(method, why), action);
		return null;
	}

	private BeanCall.Exhausted exhausted(BeanCall call, BeanMethod<?> method, JobDefinition job) {
		List<Type> types = method.parameterTypes();
		int extras = (int) types.stream().filter(EXTRAS::contains).distinct().count();
		List<Type> arguments = types.subList(0, types.size() - extras);
		List<Type> known = job.parameters().types();
		boolean takesAll = job.sequence() != null && arguments.size() == 1 && isListOfJobs(arguments.get(0))
				&& !types.contains(JobPayload.class);
		boolean fits = takesAll || EXTRAS.containsAll(types.subList(arguments.size(), types.size()))
				&& (arguments.isEmpty() || arguments.equals(known));
		if (!fits) {
			refuse(method, "and takes %s, not all of which job '%s' has".formatted(describe(types), job.name()),
					"Let it take the arguments of the job, %s, or none of them, optionally followed by a JobPayload and a Throwable."
						.formatted(describe(known)));
		}
		return new BeanCall.Exhausted(call, arguments.size(), takesAll);
	}

	private static boolean isListOfJobs(Type type) {
		ResolvableType resolved = ResolvableType.forType(type);
		return resolved.toClass() == List.class && resolved.getGeneric(0).toClass() == JobPayload.class;
	}

	private static String describe(List<Type> types) {
		return types.stream().map(Type::getTypeName).collect(Collectors.joining(", ", "(", ")"));
	}

}
