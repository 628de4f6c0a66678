package io.github.steadyjobs.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobCall;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What is called while one {@link JobCall} runs.
 *
 * @param <T> the class or interface that has the job's method
 */
final class Recording<T> implements InvocationHandler {

	private final List<Call> calls = new ArrayList<>();

	private final Class<T> jobClass;

	private final JobRegistry registry;

	private @Nullable InvalidJobException refused;

	Recording(Class<T> jobClass, JobRegistry registry) {
		this.jobClass = jobClass;
		this.registry = registry;
	}

	void run(JobCall<T> call, T recorder) {
		try {
			call.call(recorder);
		}
		catch (RuntimeException ex) {
			throw (this.calls.isEmpty() && ranFinalMethod(ex)) ? nothingCalled(ex) : ex;
		}
		catch (Exception ex) {
			throw new InvalidJobException(
					"The call of %s failed before it was recorded: %s".formatted(this.jobClass.getName(), ex), ex);
		}
	}

	Call onlyCall() {
		if (this.refused != null) {
			// Once more, in case the call has caught it.
			throw this.refused;
		}
		if (this.calls.isEmpty()) {
			throw nothingCalled(null);
		}
		if (this.calls.size() > 1) {
			throw new InvalidJobException(
					"The call of %s makes %d jobs: %s. Make one call for each, or enqueue them with enqueueAll."
						.formatted(this.jobClass.getName(), this.calls.size(), describeCalls()));
		}
		return this.calls.get(0);
	}

	@Override
	public @Nullable Object invoke(Object recorder, Method method, @Nullable Object @Nullable [] arguments) {
		if (ReflectionUtils.isToStringMethod(method)) {
			return "recorder of " + this.jobClass.getName();
		}
		try {
			JobDefinition definition = this.registry.forCall(this.jobClass, method);
			this.calls.add(new Call(definition, method, (arguments != null) ? arguments : new Object[0]));
			return Zero.of(method.getReturnType());
		}
		catch (InvalidJobException ex) {
			this.refused = ex;
			throw ex;
		}
	}

	private InvalidJobException nothingCalled(@Nullable Throwable cause) {
		String fixed = fixedMethods().stream()
			.map(Method::getName)
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
		return new InvalidJobException(
				"The call of %s calls no method that could be recorded. Final, private and static methods cannot%s. Call exactly one @Job method."
					.formatted(this.jobClass.getName(), fixed.isEmpty() ? "" : ", which here are " + fixed),
				cause);
	}

	// Such a method runs for real, on an object whose fields are empty, and mostly fails.
	private boolean ranFinalMethod(RuntimeException ex) {
		List<Method> fixed = fixedMethods();
		return Arrays.stream(ex.getStackTrace())
			.anyMatch((frame) -> fixed.stream()
				.anyMatch((method) -> method.getDeclaringClass().getName().equals(frame.getClassName())
						&& method.getName().equals(frame.getMethodName())));
	}

	private List<Method> fixedMethods() {
		return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(this.jobClass))
			.filter((method) -> method.getDeclaringClass() != Object.class && !method.isSynthetic())
			.filter((method) -> (method.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) != 0)
			.toList();
	}

	private String describeCalls() {
		return this.calls.stream()
			.map((call) -> ClassUtils.getQualifiedMethodName(call.method()))
			.collect(Collectors.joining(", "));
	}

	/**
	 * A method that was called.
	 *
	 * @param definition the job that the method is
	 * @param method the method
	 * @param arguments what it was called with
	 */
	record Call(JobDefinition definition, Method method, @Nullable Object[] arguments) {

	}

}
