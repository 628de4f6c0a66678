package io.github.steadyjobs.client;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Turns a recorded call into the job that was called and its arguments. Thread safe, and
 * safe in a call that enqueues another: each recording has a recorder of its own.
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
	 * @param called the call
	 * @return the job and its arguments
	 * @throws InvalidJobException if not exactly one job was called
	 */
	<T> RecordedCall record(JobRequest.Called<T> called) {
		Recording<T> recording = new Recording<>(called.jobClass(), this.registry);
		recording.run(called.call(), this.recorders.create(called.jobClass(), recording));
		Recording.Call call = recording.onlyCall();
		return new RecordedCall(call.definition(), jsonArguments(call.definition(), call.method(), call.arguments()));
	}

	private static List<@Nullable Object> jsonArguments(JobDefinition definition, Method method,
			@Nullable Object[] arguments) {
		int last = arguments.length - 1;
		if (last < 0 || method.getParameterTypes()[last] != JobContext.class) {
			return Arrays.asList(arguments);
		}
		if (arguments[last] != null && arguments[last] != JobContext.none()) {
			throw new InvalidJobException(
					"The call of %s passes a real JobContext, which is not stored. Pass JobContext.none(); the job gets its own when it runs."
						.formatted(ClassUtils.getQualifiedMethodName(method)));
		}
		return new ArrayList<>(Arrays.asList(arguments).subList(0, last));
	}

}
