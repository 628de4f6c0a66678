package io.github.steadyjobs.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * The context of a run.
 */
final class RunningJob implements JobContext {

	private final UnitOfWork work;

	private final JobPayload payload;

	private final Surroundings surroundings;

	private final int maxAttempts;

	RunningJob(UnitOfWork work, JobPayload payload, Surroundings surroundings, int maxAttempts) {
		this.work = work;
		this.payload = payload;
		this.surroundings = surroundings;
		this.maxAttempts = maxAttempts;
	}

	JobPayload payload() {
		return this.payload;
	}

	@Override
	public String id() {
		return this.work.token().id();
	}

	@Override
	public String name() {
		return this.payload.name();
	}

	@Override
	public String queue() {
		return this.work.queue();
	}

	@Override
	public String capsule() {
		return this.surroundings.capsule();
	}

	@Override
	public int attempt() {
		return this.payload.attempts() + 1;
	}

	@Override
	public int maxAttempts() {
		return this.maxAttempts;
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
		return this.work.consistency();
	}

	@Override
	public <T> T arguments(Class<T> type) {
		return JobJson.readArguments(this.surroundings.codec().mapper(), this.payload.arguments(), type);
	}

	@Override
	public boolean isStopping() {
		return this.surroundings.stopping().getAsBoolean();
	}

	@Override
	public boolean isLost() {
		return !this.surroundings.current().test(this.work.token());
	}

	@Override
	public long fencingToken() {
		return this.work.fencingToken();
	}

	@Override
	public String toString() {
		return this.payload + " of queue " + queue();
	}

	/**
	 * What all runs of a capsule have in common.
	 *
	 * @param capsule the name of the capsule
	 * @param codec reads arguments
	 * @param current tells whether a claim still counts
	 * @param stopping tells whether the process is shutting down
	 */
	record Surroundings(String capsule, PayloadCodec codec, Predicate<JobToken> current, BooleanSupplier stopping) {

	}

}
