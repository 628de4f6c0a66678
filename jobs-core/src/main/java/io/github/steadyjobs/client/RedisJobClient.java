package io.github.steadyjobs.client;

import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;

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
		// Asked once, and outside of the interceptors, which may have transactions of
		// their own.
		Batch batch = new Batch(requests, this.transactions.isActive());
		for (JobRequest request : requests) {
			batch.add(this.intake.admit(request, batch::accept));
		}
		if (!batch.deferred().isEmpty()) {
			this.transactions.add(batch.deferred());
		}
		return this.transactions.store(() -> this.writer.storeAll(batch.direct(), batch.results()));
	}

	@Override
	public Optional<JobPayload> find(String id) {
		return this.stored.find(id);
	}

	@Override
	public boolean cancel(String id) {
		return this.stored.cancel(id);
	}

}
