package io.github.steadyjobs.client;

import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;

import org.springframework.util.Assert;

/**
 * The client of an application. Thread safe.
 */
final class RedisJobClient implements JobClient {

	private final Intake intake;

	private final JobWriter writer;

	private final Transactions transactions;

	private final StoredJobs stored;

	RedisJobClient(Intake intake, JobWriter writer, Transactions transactions, StoredJobs stored) {
		this.intake = intake;
		this.writer = writer;
		this.transactions = transactions;
		this.stored = stored;
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		Assert.notNull(request, "'request' must not be null; make one with JobRequest.of(…) or JobRequest.named(…)");
		// Stored within the chain, so that interceptors see what Redis answers.
		return this.intake.admit(request, this::storeOrDefer);
	}

	private EnqueueResult storeOrDefer(PreparedJob job) {
		if (!job.options().beforeCommit() && this.transactions.isActive()) {
			this.transactions.add(List.of(job));
			return job.deferred();
		}
		return this.transactions.store(() -> this.writer.store(job));
	}

	@Override
	public List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests) {
		Assert.notNull(requests, "'requests' must not be null; for none pass an empty list");
		// Asked once, and outside of the interceptors, which may have transactions of
		// their own.
		Batch batch = new Batch(requests, this.transactions.isActive());
		for (JobRequest request : requests) {
			Assert.notNull(request,
					() -> "'requests' must not contain null, and element %d is".formatted(batch.size()));
			batch.add(this.intake.admit(request, batch::accept));
		}
		if (!batch.deferred().isEmpty()) {
			this.transactions.add(batch.deferred());
		}
		return this.transactions.store(() -> this.writer.storeAll(batch.direct(), batch.results()));
	}

	@Override
	public Optional<JobPayload> find(String id) {
		Assert.notNull(id, "'id' must not be null; pass the id that enqueue(…) returned");
		return this.stored.find(id);
	}

	@Override
	public boolean cancel(String id) {
		Assert.notNull(id, "'id' must not be null; pass the id that enqueue(…) returned");
		return this.stored.cancel(id);
	}

}
