package io.github.steadyjobs.ordered;

import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The form of a job that has one payload.
 */
record OnePayload(JobPayload job) implements Form {

	@Override
	public JobPayload current() {
		return this.job;
	}

	@Override
	public boolean isFree() {
		return true;
	}

	@Override
	public int mostTogether(JobDefinition definition) {
		return 1;
	}

	@Override
	public Call bind(List<? extends Run> jobs, JobDefinition definition, Method method) {
		if (definition.sequence() != null) {
			throw new InvalidJobException("Job '%s' was enqueued without a key, and the method here is a @Sequential"
				.formatted(this.job.name()));
		}
		@Nullable Object[] values = definition.parameters().bind(this.job, jobs.get(0));
		return () -> method.proceed(values);
	}

	@Override
	public byte[] with(byte[] job) {
		return job;
	}

}
