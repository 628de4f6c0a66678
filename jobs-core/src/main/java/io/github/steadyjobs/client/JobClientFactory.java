package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.PayloadCodec;

import org.springframework.transaction.TransactionExecutionListener;

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
		return create(store, codec, registry, interceptors, settings, (job, queue, result) -> {
		});
	}

	/**
	 * Create a client whose requests are counted. Nothing is sent to Redis before its
	 * first use.
	 * @param store stores the jobs
	 * @param codec writes and reads the jobs
	 * @param registry knows the jobs of this application
	 * @param interceptors called around every request, in any order; they are sorted
	 * @param settings the settings
	 * @param counter counts the requests
	 * @return the client
	 */
	public static JobClient create(JobStore store, PayloadCodec codec, JobRegistry registry,
			List<ClientInterceptor> interceptors, JobClientSettings settings, EnqueueCounter counter) {
		DeduplicationSettings deduplication = settings.deduplication();
		EnqueueReport report = new EnqueueReport(counter, deduplication.listeners());
		DryRun dryRun = deduplication.dryRun() ? new DryRun(deduplication.ttl(), System::nanoTime) : null;
		Deduplicator deduplicator = new Deduplicator(new DeduplicationKey(codec.mapper()), deduplication.ttl(), dryRun,
				report);
		JobWriter writer = new JobWriter(store, new Positions(deduplication.sources()), report, settings.clock(),
				new UnservedQueues(store, settings.doubtful()));
		JobPreparer preparer = new JobPreparer(registry, codec, deduplicator, settings);
		Intake intake = new Intake(new RequestResolver(registry), interceptors, preparer, report, settings.clock());
		return new RedisJobClient(intake, writer, new Transactions(writer), new StoredJobs(store, codec));
	}

	/**
	 * Create a listener that each transaction manager should have under which jobs are
	 * enqueued. It makes known that a transaction has committed: what is enqueued in a
	 * callback after the commit is stored at once then, and fails where it is enqueued.
	 * Without the listener it is stored, too, but only when all callbacks have run, and a
	 * failure is logged and not thrown.
	 * @return the listener, for any number of managers and clients
	 */
	public static TransactionExecutionListener transactionListener() {
		return new CommitWatch();
	}

}
