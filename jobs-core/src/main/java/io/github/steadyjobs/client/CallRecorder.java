package io.github.steadyjobs.client;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobCall;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.definition.Sequence.Form;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Turns a recorded call into the job that was called and the arguments of the call.
 * Thread safe. A recorded call may itself enqueue another job, because each recording has
 * a separate recorder.
 */
final class CallRecorder {

	private final RecorderFactory recorders = new RecorderFactory();

	private final JobRegistry registry;

	CallRecorder(JobRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Record a call.
	 * @param <T> the class or interface that has the method
	 * @throws InvalidJobException unless exactly one job was called
	 */
	<T> Call record(JobRequest.Called<T> called) {
		Recording<T> recording = new Recording<>(called.jobClass());
		recording.run(called.call(), this.recorders.create(called.jobClass(), recording));
		return recording.onlyCall();
	}

	/**
	 * A job and the arguments of the call to its method.
	 *
	 * @param arguments the arguments, without the context
	 */
	record Call(JobDefinition definition, Method method, List<@Nullable Object> arguments) {

	}

	/** Records the calls that are made while one {@link JobCall} runs. */
	private final class Recording<T> implements InvocationHandler {

		private final List<Call> calls = new ArrayList<>(1);

		private final Class<T> jobClass;

		private @Nullable InvalidJobException refused;

		Recording(Class<T> jobClass) {
			this.jobClass = jobClass;
		}

		void run(JobCall<T> call, T recorder) {
			try {
				call.call(recorder);
			}
			catch (RuntimeException ex) {
				if (this.calls.isEmpty() && tookDefaultValue(ex)) {
					throw new InvalidJobException(
							"The call of %s omits an argument whose default value needs the object. The fields of a recorder are not set. Pass the argument."
								.formatted(this.jobClass.getName()),
							ex);
				}
				throw (this.calls.isEmpty() && ranFinalMethod(ex)) ? nothingCalled(ex) : ex;
			}
			catch (Exception ex) {
				throw new InvalidJobException(
						"The call of %s failed before it was recorded: %s".formatted(this.jobClass.getName(), ex), ex);
			}
		}

		Call onlyCall() {
			if (this.refused != null) {
				// Thrown again, in case the lambda has caught the exception.
				throw this.refused;
			}
			if (this.calls.isEmpty()) {
				throw nothingCalled(null);
			}
			if (this.calls.size() > 1) {
				String all = this.calls.stream()
					.map((call) -> ClassUtils.getQualifiedMethodName(call.method()))
					.collect(Collectors.joining(", "));
				throw new InvalidJobException(
						"The call of %s makes %d jobs: %s. Make one call for each, or enqueue them with enqueueAll."
							.formatted(this.jobClass.getName(), this.calls.size(), all));
			}
			Call call = this.calls.get(0);
			return new Call(call.definition(), call.method(), withoutContext(call.method(), call.arguments()));
		}

		private List<@Nullable Object> withoutContext(Method method, List<@Nullable Object> arguments) {
			int last = arguments.size() - 1;
			if (last < 0 || method.getParameterTypes()[last] != JobContext.class) {
				return arguments;
			}
			if (arguments.get(last) != null && arguments.get(last) != JobContext.none()) {
				throw new InvalidJobException(
						"The call of %s passes a real JobContext, which is not stored. Pass JobContext.none(); the job gets its own when it runs."
							.formatted(ClassUtils.getQualifiedMethodName(method)));
			}
			return arguments.subList(0, last);
		}

		@Override
		public @Nullable Object invoke(Object recorder, Method method, @Nullable Object @Nullable [] arguments) {
			if (ReflectionUtils.isToStringMethod(method)) {
				return "recorder of " + this.jobClass.getName();
			}
			try {
				JobDefinition definition = CallRecorder.this.registry.forCall(this.jobClass, method);
				if (definition.sequence() != null && definition.sequence().form() != Form.ONE) {
					throw new InvalidJobException(
							"Job '%s' cannot be enqueued by a call, because its method takes all payloads that have gathered. Enqueue one payload, with enqueue(payload) or JobRequest.named(\"%1$s\", payload)."
								.formatted(definition.name()));
				}
				this.calls
					.add(new Call(definition, method, (arguments != null) ? Arrays.asList(arguments) : List.of()));
			}
			catch (InvalidJobException ex) {
				this.refused = ex;
				throw ex;
			}
			// A primitive return value must not be null. A new array contains the default
			// value of its type.
			Class<?> type = method.getReturnType();
			return (type.isPrimitive() && type != void.class) ? Array.get(Array.newInstance(type, 1), 0) : null;
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

		// Kotlin computes default values in a method with this suffix, before the call.
		private boolean tookDefaultValue(RuntimeException ex) {
			return Arrays.stream(ex.getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(this.jobClass.getName())
						&& frame.getMethodName().endsWith("$default"));
		}

		// A final method is not recorded. It runs instead, on an object whose fields are
		// unset, and usually fails.
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
				.filter((
						method) -> (method.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) != 0)
				.toList();
		}

	}

}
