package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobReading.Sources;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Finds the methods of a bean to call when retries are exhausted, and gives each to its
 * job.
 */
final class ExhaustedMethods {

	private static final Set<Class<?>> EXTRAS = Set.of(JobPayload.class, Throwable.class);

	private final Function<BeanMethod<?>, BeanCall> calls;

	private final Sources sources;

	private final Problems problems;

	ExhaustedMethods(Function<BeanMethod<?>, BeanCall> calls, Sources sources, Problems problems) {
		this.calls = calls;
		this.sources = sources;
		this.problems = problems;
	}

	/** Return the jobs of a bean, each with its method if it has one. */
	List<JobDefinition> assign(Class<?> type, List<JobDefinition> jobs) {
		List<JobDefinition> assigned = new ArrayList<>(jobs);
		for (BeanMethod<RetriesExhausted> method : BeanMethod.find(type, RetriesExhausted.class)) {
			MethodRules.check(method, this.problems);
			int index = jobOf(method, jobs);
			if (index >= 0) {
				BeanMethod<?> other = assigned.get(index).exhaustedMethod();
				if (other != null) {
					this.problems.add("%s and %s are both a @RetriesExhausted for job '%s'.".formatted(other, method,
							jobs.get(index).name()), "Leave one of them.");
					continue;
				}
				assigned.set(index, assigned.get(index).withExhausted(call(method, jobs.get(index))));
			}
		}
		return assigned;
	}

	private int jobOf(BeanMethod<RetriesExhausted> method, List<JobDefinition> jobs) {
		String names = jobs.stream().map(JobDefinition::name).collect(Collectors.joining("', '", "'", "'"));
		if (jobs.isEmpty()) {
			this.problems.add("%s is a @RetriesExhausted in a bean without a @Job.".formatted(method),
					"Move it to the bean of its job.");
			return -1;
		}
		if (jobs.stream().anyMatch((job) -> method.method().equals(job.method()))) {
			this.problems.add("%s is both a @Job and a @RetriesExhausted.".formatted(method),
					"Make them two methods: the second is called when the first has failed for good.");
			return -1;
		}
		if (method.annotation().value().isEmpty()) {
			if (jobs.size() > 1) {
				this.problems.add("%s is a @RetriesExhausted in a bean with several jobs.".formatted(method),
						"Name one of them: @RetriesExhausted(\"…\") with one of %s.".formatted(names));
			}
			return (jobs.size() == 1) ? 0 : -1;
		}
		String wanted = this.sources.resolve(method.toString(), method.annotation().value(), this.problems);
		for (int index = 0; index < jobs.size(); index++) {
			if (jobs.get(index).name().equals(wanted)) {
				return index;
			}
		}
		this.problems.add(
				"%s is a @RetriesExhausted for job '%s', which its bean does not have.".formatted(method, wanted),
				"Name a job of the same bean: %s.".formatted(names));
		return -1;
	}

	private ExhaustedCall call(BeanMethod<RetriesExhausted> method, JobDefinition job) {
		List<Type> types = method.parameterTypes();
		int extras = (int) types.stream().filter(EXTRAS::contains).distinct().count();
		List<Type> arguments = types.subList(0, types.size() - extras);
		List<Type> known = job.argumentTypes();
		boolean takesAll = job.sequence() != null && arguments.size() == 1 && isListOfJobs(arguments.get(0))
				&& !types.contains(JobPayload.class);
		boolean fits = takesAll || EXTRAS.containsAll(types.subList(arguments.size(), types.size()))
				&& (arguments.isEmpty() || arguments.equals(known));
		if (!fits) {
			this.problems.add(
					"%s is a @RetriesExhausted and takes %s, not all of which job '%s' has.".formatted(method,
							describe(types), job.name()),
					"Let it take the arguments of the job, %s, or none of them, optionally followed by a JobPayload and a Throwable."
						.formatted(describe(known)));
		}
		BeanCall call = this.calls.apply(method);
		call.reportTo(this.problems);
		return new ExhaustedCall(call, arguments.size(), takesAll);
	}

	private static boolean isListOfJobs(Type type) {
		ResolvableType resolved = ResolvableType.forType(type);
		return resolved.toClass() == List.class && resolved.getGeneric(0).toClass() == JobPayload.class;
	}

	private static String describe(List<Type> types) {
		return types.stream().map(Type::getTypeName).collect(Collectors.joining(", ", "(", ")"));
	}

	/**
	 * Calls the method when the retries of a job are exhausted.
	 *
	 * @param arguments the number of arguments of the job that the method takes
	 * @param takesAll whether it takes a list of jobs in their place
	 */
	record ExhaustedCall(BeanCall bean, int arguments, boolean takesAll) {

		void invoke(JobParameters parameters, List<JobPayload> jobs, Throwable failure) throws Exception {
			JobPayload job = jobs.get(0);
			Class<?>[] types = this.bean.method().method().getParameterTypes();
			@Nullable Object[] values = new Object[types.length];
			if (this.takesAll) {
				values[0] = jobs;
			}
			else if (this.arguments > 0) {
				@Nullable Object[] bound = parameters.bind(job.name(), job, JobContext.none());
				System.arraycopy(bound, 0, values, 0, this.arguments);
			}
			for (int index = this.arguments; index < types.length; index++) {
				values[index] = (types[index] == JobPayload.class) ? job : failure;
			}
			this.bean.invoke(values);
		}

	}

}
