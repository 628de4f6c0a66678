package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.client.Deduplicator.DryRun;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;

import org.springframework.transaction.TransactionExecutionListener;

/**
 * Creates the client of an application.
 */
public final class JobClientFactory {

	private JobClientFactory() {
	}

	/**
	 * Create a client. Nothing is sent to Redis before the client is first used.
	 * @param store stores the jobs
	 * @param codec writes and reads the jobs
	 * @param registry contains the jobs of this application
	 * @param interceptors the interceptors of every request, in any order; they will be
	 * sorted
	 * @param listeners the listeners to notify of the results of requests, in this order
	 * @param settings the settings
	 * @return the client
	 */
	public static PreparingJobClient create(JobStorage store, PayloadCodec codec, JobRegistry registry,
			List<ClientInterceptor> interceptors, List<EnqueueListener> listeners, JobClientSettings settings) {
		DryRun dryRun = settings.dryRun() ? new DryRun(settings.lockTtl(), System::nanoTime) : null;
		Deduplicator deduplicator = new Deduplicator(new DeduplicationKey(codec.mapper()), settings.lockTtl(), dryRun);
		EnqueueReport report = new EnqueueReport(listeners, store, codec, settings);
		return new RedisJobClient(new JobDrafts(registry, codec, deduplicator, settings), interceptors,
				new JobWriter(store, report, settings), store, codec, settings);
	}

	/**
	 * Create a listener, to be added to each transaction manager whose transactions
	 * enqueue jobs. The listener notices when a transaction has committed. With the
	 * listener, a job that is enqueued in a callback after the commit is stored at once,
	 * and a failure is thrown in the callback. Without the listener, the job is stored
	 * only after all callbacks have run, and a failure is logged but not thrown.
	 * @return the listener, for any number of managers and clients
	 */
	public static TransactionExecutionListener transactionListener() {
		return new Transactions.CommitWatch();
	}

	/**
	 * Return whether the transaction of the current thread has committed, and its
	 * callbacks are being called. This is known for transactions in which a job has
	 * waited for the commit, and for transactions of managers with the
	 * {@link #transactionListener()}. In all other cases, the result is {@code false}.
	 */
	public static boolean isAfterCommit() {
		return Transactions.CommitWatch.isCommitted();
	}

}
