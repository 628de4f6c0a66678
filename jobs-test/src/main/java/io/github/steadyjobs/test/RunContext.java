package io.github.steadyjobs.test;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * The context of one run, like the context that a worker would pass.
 *
 * @param payload the job
 * @param run the number of the run, 1 for the first
 * @param maxAttempts the maximum number of attempts
 * @param codec reads the arguments
 */
record RunContext(JobPayload payload, int run, int maxAttempts, PayloadCodec codec) implements JobContext {

	@Override
	public String id() {
		return this.payload.id();
	}

	@Override
	public String name() {
		return this.payload.name();
	}

	@Override
	public String queue() {
		return this.payload.queue();
	}

	@Override
	public String capsule() {
		return "test";
	}

	@Override
	public int attempt() {
		return this.payload.attempts() + 1;
	}

	@Override
	public Instant enqueuedAt() {
		return this.payload.enqueuedAt();
	}

	@Override
	public @Nullable Instant scheduledAt() {
		return this.payload.at();
	}

	@Override
	public List<String> tags() {
		return this.payload.tags();
	}

	@Override
	public Map<String, String> meta() {
		return this.payload.meta();
	}

	@Override
	public Map<String, String> consistency() {
		return Map.of();
	}

	@Override
	public <T> T arguments(Class<T> type) {
		return JobJson.readArguments(this.codec.mapper(), this.payload.arguments(), type);
	}

	@Override
	public boolean isStopping() {
		return false;
	}

	@Override
	public boolean isLost() {
		return false;
	}

	@Override
	public long fencingToken() {
		return this.run;
	}

	@Override
	public String toString() {
		return this.payload + " of queue " + queue();
	}

}
