package io.github.steadyjobs.client;

import java.time.Duration;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that declare in various ways whether and how they are idempotent.
 */
class SyncJobs {

	@Job(aliases = "SyncJobs.pending")
	@Idempotent
	void waiting(int shop) {
	}

	@Job
	@Idempotent(strategy = Strategy.UNTIL_EXECUTED, ifDuplicate = IfDuplicate.RUN_ONCE_MORE, key = "#change.shop",
			ttl = "5m", keepConsistency = true)
	void newest(Change change) {
	}

	@Job
	@Idempotent(includeScheduled = true)
	void later(int shop) {
	}

	@Job
	@Idempotent(strategy = Strategy.WITHIN, ttl = "1h")
	void hourly(int shop) {
	}

	@Job
	@Idempotent(custom = OnlyLarge.class)
	void large(int shop) {
	}

	@Job
	@NotIdempotent("a test")
	void declared(int shop) {
	}

	@Job
	void undeclared(int shop) {
	}

	/**
	 * An argument that contains the key.
	 *
	 * @param shop the key
	 * @param version a value that is not part of the key
	 */
	record Change(@Nullable String shop, int version) {

	}

	/**
	 * A strategy defined by an application: jobs of large shops are deduplicated by queue
	 * and last digit of the shop, and jobs of small shops are not deduplicated.
	 */
	static class OnlyLarge implements IdempotenceStrategy {

		@Override
		public @Nullable Idempotence decide(JobRequest request, Idempotence declared) {
			int shop = (Integer) ((JobRequest.Named) request.target()).arguments().get(0);
			return (shop < 100) ? null
					: Idempotence.within(Duration.ofMinutes(shop)).key(request.options().queue() + shop % 10);
		}

	}

}
