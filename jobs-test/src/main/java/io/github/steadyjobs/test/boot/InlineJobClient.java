package io.github.steadyjobs.test.boot;

import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.PreparingJobClient;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs each job that is due right after it has been stored, on the thread that enqueued
 * it. Thread safe.
 */
final class InlineJobClient implements PreparingJobClient {

	private final PreparingJobClient client;

	private final JobRuns runs;

	InlineJobClient(PreparingJobClient client, JobRuns runs) {
		this.client = client;
		this.runs = runs;
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		EnqueueResult result = this.client.enqueue(request);
		run(List.of(result));
		return result;
	}

	@Override
	public List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests) {
		List<EnqueueResult> results = this.client.enqueueAll(requests);
		run(results);
		return results;
	}

	private void run(List<EnqueueResult> results) {
		if (results.stream().anyMatch(EnqueueResult.Deferred.class::isInstance)) {
			// This callback is registered, and therefore called, after the one that
			// stores the jobs.
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					InlineJobClient.this.runs.runInline();
				}

			});
		}
		this.runs.runInline();
	}

	@Override
	public @Nullable Prepared prepare(JobRequest request, String id) {
		return this.client.prepare(request, id);
	}

	@Override
	public Optional<JobPayload> find(String id) {
		return this.client.find(id);
	}

	@Override
	public boolean cancel(String id, boolean mayInterruptIfRunning) {
		return this.client.cancel(id, mayInterruptIfRunning);
	}

}
