package io.github.steadyjobs.test.boot;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobStorage;
import io.github.steadyjobs.client.Push;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.test.boot.RecordedJob.Moment;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Records the jobs that the client has stored, in memory or in Redis. Thread safe.
 */
final class RecordingStorage implements JobStorage {

	private final JobStorage storage;

	private final Recordings recordings;

	private final PayloadCodec codec;

	RecordingStorage(JobStorage storage, Recordings recordings, PayloadCodec codec) {
		this.storage = storage;
		this.recordings = recordings;
		this.codec = codec;
	}

	@Override
	public Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted) {
		return recorded(jobs, this.storage.enqueueAll(queue, jobs, wanted));
	}

	@Override
	public Push enqueueOrKeep(String queue, List<NewJob> jobs, Durability wanted) {
		return recorded(jobs, this.storage.enqueueOrKeep(queue, jobs, wanted));
	}

	private Push recorded(List<NewJob> jobs, Push push) {
		Moment moment = JobClientFactory.isAfterCommit() ? Moment.AFTER_COMMIT
				: TransactionSynchronizationManager.isActualTransactionActive() ? Moment.IN_TRANSACTION
						: Moment.OUTSIDE;
		Recording recording = this.recordings.current();
		@Nullable Admission[] admissions = push.admissions();
		for (int i = 0; i < admissions.length; i++) {
			Admission admission = admissions[i];
			if (admission != null) {
				JobPayload payload = RecordedJob.read(this.codec, jobs.get(i));
				RecordedJob job = new RecordedJob(payload, moment, recording.thread());
				if (admission.isStored()) {
					recording.enqueued().add(job);
				}
				else {
					recording.dropped().add(job + ", dropped as a duplicate of " + admission.holder());
				}
			}
		}
		return push;
	}

	@Override
	public <T> Optional<T> find(String id, BiFunction<String, byte[], T> reader) {
		return this.storage.find(id, reader);
	}

	@Override
	public boolean cancel(String id, boolean interrupt) {
		return this.storage.cancel(id, interrupt);
	}

	@Override
	public CompletableFuture<Boolean> isServed(String lane) {
		return this.storage.isServed(lane);
	}

	/** Keeps jobs in the memory of the thread that enqueues them. */
	static final class InMemory implements JobStorage {

		private final Recordings recordings;

		private final PayloadCodec codec;

		InMemory(Recordings recordings, PayloadCodec codec) {
			this.recordings = recordings;
			this.codec = codec;
		}

		@Override
		public Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted) {
			MemoryJobs memory = this.recordings.current().memory();
			return Push.of(jobs.stream().map((job) -> memory.add(queue, job, due(job))).toList(), wanted);
		}

		/**
		 * Return when a job is due, {@code null} for now. This is the time that the job
		 * asks for. Its delay began a little earlier, so counted from now it would end
		 * later, and a drain up to that time would miss the job.
		 */
		private @Nullable Long due(NewJob job) {
			Instant at = (job.delay() != null) ? RecordedJob.read(this.codec, job).at() : null;
			return (at != null) ? Long.valueOf(at.toEpochMilli()) : null;
		}

		@Override
		public Push enqueueOrKeep(String queue, List<NewJob> jobs, Durability wanted) {
			return enqueueAll(queue, jobs, wanted);
		}

		@Override
		public <T> Optional<T> find(String id, BiFunction<String, byte[], T> reader) {
			return this.recordings.all()
				.stream()
				.map((recording) -> recording.memory().find(id, reader))
				.filter(Objects::nonNull)
				.findFirst();
		}

		@Override
		public boolean cancel(String id, boolean interrupt) {
			return this.recordings.all().stream().anyMatch((recording) -> recording.memory().cancel(id));
		}

		@Override
		public CompletableFuture<Boolean> isServed(String lane) {
			return CompletableFuture.completedFuture(true);
		}

	}

}
