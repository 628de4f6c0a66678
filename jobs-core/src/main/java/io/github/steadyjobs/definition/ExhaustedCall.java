package io.github.steadyjobs.definition;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobParameters;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method that is to learn that the retries of a job are exhausted.
 *
 * @param bean the bean with the method
 * @param arguments the number of arguments of the job that the method takes
 */
record ExhaustedCall(BeanCall bean, int arguments) {

	void invoke(JobParameters parameters, JobPayload job, Throwable failure) throws Exception {
		Class<?>[] types = this.bean.method().method().getParameterTypes();
		@Nullable Object[] values = new Object[types.length];
		if (this.arguments > 0) {
			@Nullable Object[] bound = parameters.bind(job.name(), job.arguments(), JobContext.none());
			System.arraycopy(bound, 0, values, 0, this.arguments);
		}
		for (int index = this.arguments; index < types.length; index++) {
			values[index] = (types[index] == JobPayload.class) ? job : failure;
		}
		this.bean.invoke(values);
	}

}
