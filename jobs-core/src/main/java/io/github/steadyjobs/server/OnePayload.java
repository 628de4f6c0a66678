package io.github.steadyjobs.server;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.server.Outcome.Failed;
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
	public boolean isExpiring() {
		return true;
	}

	@Override
	public Call bind(List<UnitOfWork> jobs, JobDefinition definition, Timeouts.Call call, Settlements settlements) {
		if (definition.sequence() != null) {
			throw new InvalidJobException("Job '%s' was enqueued without a key, and the method here is a @Sequential"
				.formatted(this.job.name()));
		}
		@Nullable Object[] values = definition.bind(this.job, jobs.get(0));
		return () -> call.proceed(values);
	}

	@Override
	public byte[] with(byte[] job) {
		return job;
	}

	@Override
	public Failed after(Failed outcome, @Nullable String retryQueue, Supplier<String> id, long now) {
		return (outcome instanceof Outcome.Retry retry) ? retry.in(retryQueue) : outcome;
	}

}
