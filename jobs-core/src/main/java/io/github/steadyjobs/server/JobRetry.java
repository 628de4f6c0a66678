package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Failure.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;

/**
 * Decides what becomes of a job that failed. Thread safe.
 */
final class JobRetry {

	private static final Logger logger = LoggerFactory.getLogger(JobRetry.class);

	/**
	 * More than this is meant as never, and would not fit a date.
	 */
	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	/**
	 * What zero and less stand for: a job that fails at once must not run in a tight
	 * loop.
	 */
	private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);

	private final RetryDelay retryDelay;

	private final PayloadCodec codec;

	private final Clock clock;

	private final int defaultRetries;

	private final int backtraceLines;

	JobRetry(RetryDelay retryDelay, PayloadCodec codec, Clock clock, int defaultRetries, int backtraceLines) {
		this.retryDelay = retryDelay;
		this.codec = codec;
		this.clock = clock;
		this.defaultRetries = defaultRetries;
		this.backtraceLines = backtraceLines;
	}

	Outcome decide(JobPayload job, Throwable failure) {
		// Within bounds, as others write payloads too.
		int count = job.attempts();
		try {
			if (failure instanceof DiscardJobException) {
				return discarded(job, count, failure);
			}
			if (failure instanceof KillJobException || count >= job.retries(this.defaultRetries)) {
				return exhausted(job, count, failure);
			}
			Duration delay = delay(count, job, failure);
			JobPayload failed = failed(job, count, failure, delay);
			return new Outcome.Retry(this.codec.write(failed), delay, count,
					new Failure(failed, failure, Kind.ATTEMPT));
		}
		catch (DiscardJobException ex) {
			return discarded(job, count, failure);
		}
		catch (KillJobException ex) {
			return exhausted(job, count, failure);
		}
	}

	private Outcome exhausted(JobPayload job, int count, Throwable failure) {
		JobPayload failed = failed(job, count, failure, null);
		Failure last = new Failure(failed, failure, Kind.EXHAUSTED);
		return job.isKeptWhenDead() ? new Outcome.Dead(this.codec.write(failed), last) : new Outcome.Discarded(last);
	}

	private Outcome discarded(JobPayload job, int count, Throwable failure) {
		return new Outcome.Discarded(new Failure(failed(job, count, failure, null), failure, Kind.ATTEMPT));
	}

	int maxAttempts(JobPayload job) {
		return job.retries(this.defaultRetries) + 1;
	}

	private Duration delay(int count, JobPayload job, Throwable failure) {
		try {
			return delay(this.retryDelay, count, job, failure);
		}
		catch (DiscardJobException | KillJobException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			// Errors too: the job would not be settled, and would stay with this process.
			logger.warn("The retry delay of job {} could not be computed, taking the default", job, ex);
			return delay(RetryDelay.sidekiq(), count, job, failure);
		}
	}

	private static Duration delay(RetryDelay from, int count, JobPayload job, Throwable failure) {
		Duration delay = Objects.requireNonNull(from.delay(count, job, failure), "No delay was returned");
		Duration jitter = Objects.requireNonNull(from.jitter(count), "No jitter was returned");
		boolean positive = !delay.isNegative() && !delay.isZero();
		Duration sum = bounded(positive ? delay : SHORTEST_DELAY).plus(bounded(jitter));
		return bounded(sum);
	}

	private static Duration bounded(Duration delay) {
		return (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
	}

	private JobPayload failed(JobPayload job, int count, Throwable failure, @Nullable Duration delay) {
		long now = this.clock.millis();
		return job.with((json) -> {
			json.put("retry_count", count);
			json.put((count == 0) ? "failed_at" : "retried_at", now);
			json.put("error_class", failure.getClass().getName());
			json.put("error_message", FailureText.message(failure));
			if (delay != null) {
				json.put("at", now + delay.toMillis());
			}
			if (this.backtraceLines > 0) {
				ArrayNode backtrace = json.putArray("error_backtrace");
				FailureText.backtrace(failure, this.backtraceLines).forEach(backtrace::add);
			}
		});
	}

}
