package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;

/**
 * Decides what becomes of a job that failed. Thread safe.
 */
final class JobRetry {

	private static final Logger logger = LoggerFactory.getLogger(JobRetry.class);

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
		int count = job.retryCount() + 1;
		if (count >= job.retries(this.defaultRetries)) {
			return new Outcome.Dead(this.codec.write(failed(job, count, failure, null)));
		}
		Duration delay = delay(count, job, failure);
		return new Outcome.Retry(this.codec.write(failed(job, count, failure, delay)), delay, count);
	}

	int maxAttempts(JobPayload job) {
		return job.retries(this.defaultRetries) + 1;
	}

	private Duration delay(int count, JobPayload job, Throwable failure) {
		try {
			return this.retryDelay.delay(count, job, failure);
		}
		catch (RuntimeException ex) {
			logger.warn("The retry delay of job {} could not be computed, taking the default", job, ex);
			return RetryDelay.sidekiq().delay(count, job, failure);
		}
	}

	private JobPayload failed(JobPayload job, int count, Throwable failure,
			@Nullable Duration delay) {
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
