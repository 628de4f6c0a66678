package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.PayloadCodec;

/**
 * Creates the client of an application.
 */
public final class JobClientFactory {

	private JobClientFactory() {
	}

	/**
	 * Create a client. Nothing is sent to Redis before its first use.
	 * @param store stores the jobs
	 * @param codec writes and reads the jobs
	 * @param registry knows the jobs of this application
	 * @param interceptors called around every request, in any order; they are sorted
	 * @param settings the settings
	 * @return the client
	 */
	public static JobClient create(JobStore store, PayloadCodec codec, JobRegistry registry,
			List<ClientInterceptor> interceptors, JobClientSettings settings) {
		DeduplicationSettings deduplication = settings.deduplication();
		DeduplicationReport report = new DeduplicationReport(deduplication.listeners());
		DryRun dryRun = deduplication.dryRun() ? new DryRun(deduplication.ttl(), System::nanoTime) : null;
		Deduplicator deduplicator = new Deduplicator(new DeduplicationKey(codec.mapper()), deduplication.ttl(), dryRun,
				report);
		JobWriter writer = new JobWriter(store, new Positions(deduplication.sources()), report,
				new UnservedQueues(store, settings.doubtful()));
		JobPreparer preparer = new JobPreparer(registry, codec, deduplicator, settings);
		Intake intake = new Intake(new RequestResolver(registry), interceptors, preparer, settings.clock());
		Transactions transactions = new Transactions(writer, settings.clock());
		return new RedisJobClient(intake, writer, transactions, new StoredJobs(store, codec));
	}

}
