package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.ordered.Forms;
import io.github.steadyjobs.redis.FailureText;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failed;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.Outcome.Failure.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Decides what happens to a job that failed, or whose run was cut short and must not be
 * repeated: the job is retried later, becomes dead or is discarded. Writes the reason
 * into the payload of the job. Thread safe.
 */
final class JobRetry {

	private final RetryDelays backoff;

	private final PayloadCodec codec;

	private final Clock clock;

	private final int defaultRetries;

	private final int backtraceLines;

	private final JobIds ids = new JobIds();

	JobRetry(RetryDelay retryDelay, PayloadCodec codec, Clock clock, int defaultRetries, int backtraceLines) {
		this.backoff = new RetryDelays(retryDelay);
		this.codec = codec;
		this.clock = clock;
		this.defaultRetries = defaultRetries;
		this.backtraceLines = backtraceLines;
	}

	Failed decide(UnitOfWork job, Throwable failure) {
		long now = this.clock.millis();
		JobPayload failed = withFailure(job.payload(), failure, job.token().process(), job.ran(), now);
		Failed decided = decide(failed, job.rules(), failure, now);
		Form form = job.form();
		return (decided instanceof Outcome.Retry retry)
				? retry.with(form.with(retry.payload()), form.isFree() ? retryQueue(job) : null) : apart(decided, form);
	}

	/**
	 * Return the outcome of a job whose current payload is dead or discarded. An ordered
	 * job continues with its other payloads.
	 */
	private Failed apart(Failed decided, Form form) {
		Failure failure = decided.failure();
		Form.Rest rest = form.without((decided instanceof Outcome.Dead) ? failure.job() : null, this::id,
				this.clock.millis());
		return (rest == null) ? decided : exhausted(rest, failure);
	}

	private static Outcome.Exhausted exhausted(Form.Rest rest, Failure failure) {
		Failure ofPart = (rest.problem() != null) ? new Failure(null, rest.problem(), Kind.ATTEMPT)
				: (rest.payload() != null) ? new Failure(rest.payload(), failure.cause(), failure.kind()) : failure;
		return new Outcome.Exhausted(rest.dead(), rest.rest(), ofPart);
	}

	private String id() {
		return this.ids.next(this.clock.millis());
	}

	/**
	 * Return the outcome that makes an unreadable job dead. The job is kept as stored.
	 */
	Failed dead(JobToken token, byte[] stored, Failure failure) {
		Form.Rest rest = Forms.withoutAll(token.queue(), stored, this::id);
		return (rest != null) ? exhausted(rest, failure) : new Outcome.Dead(null, failure);
	}

	/**
	 * Return the outcome of a job with a payload that cannot be read; {@code null} for
	 * other jobs.
	 */
	@Nullable Failed withoutUnreadable(UnitOfWork job) {
		Form.Rest rest = job.form().withoutUnreadable(this::id, this.clock.millis());
		return (rest != null) ? new Outcome.Exhausted(rest.dead(), rest.rest(),
				new Failure(null, Objects.requireNonNull(rest.problem()), Kind.ATTEMPT)) : null;
	}

	Failed decide(JobPayload job, RetryRules rules, Throwable failure) {
		return decide(job, rules, failure, this.clock.millis());
	}

	private Failed decide(JobPayload job, RetryRules rules, Throwable failure, long now) {
		// This number is within bounds, even if the payload comes from another program.
		int count = job.attempts();
		JobPayload failed = failed(job, count, failure, backtraceLines(job, rules), now);
		try {
			if (failure instanceof DiscardJobException
					|| (!(failure instanceof KillJobException) && rules.types().isDiscarded(failure))) {
				return discarded(failed, failure);
			}
			if (failure instanceof KillJobException || !rules.types().isRetried(failure) || isOver(job, rules)) {
				return exhausted(failed, failure);
			}
			Duration delay = this.backoff.delay(rules.backoff(), count, job, failure);
			JobPayload retried = due(failed, now, delay);
			return new Outcome.Retry(this.codec.write(retried), delay, count,
					new Failure(retried, failure, Kind.ATTEMPT), null);
		}
		catch (DiscardJobException ex) {
			return discarded(failed, failure);
		}
		catch (KillJobException ex) {
			return exhausted(failed, failure);
		}
	}

	private static JobPayload withFailure(JobPayload job, Throwable failure, String process, @Nullable Duration ran,
			long now) {
		return job.withFailure(new JobFailure(Instant.ofEpochMilli(now), failure.getClass().getName(),
				FailureText.message(failure), process, ran));
	}

	private Failed exhausted(JobPayload failed, Throwable failure) {
		Failure last = new Failure(failed, failure, Kind.EXHAUSTED);
		return failed.isKeptWhenDead() ? new Outcome.Dead(this.codec.write(failed), last) : new Outcome.Discarded(last);
	}

	private static Failed discarded(JobPayload failed, Throwable failure) {
		return new Outcome.Discarded(new Failure(failed, failure, Kind.ATTEMPT));
	}

	private boolean isOver(JobPayload job, RetryRules rules) {
		Duration retryFor = job.limits().or(rules.limits()).retryFor();
		Instant failed = (retryFor != null) ? job.failedAt() : null;
		return job.attempts() + 1 >= maxAttempts(job, rules)
				|| (failed != null && this.clock.instant().isAfter(failed.plus(retryFor)));
	}

	/**
	 * Return the maximum number of attempts of a job. The number is unlimited if only the
	 * duration of the retries is limited.
	 */
	int maxAttempts(JobPayload job, RetryRules rules) {
		int unlimited = Integer.MAX_VALUE - 1;
		boolean timed = job.limits().or(rules.limits()).retryFor() != null;
		return Math.min(unlimited, job.retries(timed ? unlimited : this.defaultRetries)) + 1;
	}

	/** Return the queue in which to retry a job, or {@code null} for its own queue. */
	private static @Nullable String retryQueue(UnitOfWork job) {
		String queue = job.payload().limits().or(job.rules().limits()).retryQueue();
		return job.queue().equals(queue) ? null : queue;
	}

	private int backtraceLines(JobPayload job, RetryRules rules) {
		Integer lines = job.limits().or(rules.limits()).backtrace();
		return (lines != null) ? lines : this.backtraceLines;
	}

	/** Return the outcome of a job that asks to run later. */
	Outcome snoozed(UnitOfWork job, Duration wanted) {
		Duration delay = RetryDelays.bounded(wanted);
		byte[] payload = this.codec.write(due(job.payload(), this.clock.millis(), delay));
		return new Outcome.Snoozed(job.form().with(payload), delay);
	}

	private static JobPayload due(JobPayload job, long now, Duration delay) {
		return job.with((json) -> json.put(PayloadField.AT.text(), now + delay.toMillis()));
	}

	private static JobPayload failed(JobPayload job, int count, Throwable failure, int lines, long now) {
		return job.with((json) -> {
			json.put(PayloadField.RETRY_COUNT.text(), count);
			json.put((count == 0) ? PayloadField.FAILED_AT.text() : PayloadField.RETRIED_AT.text(), now);
			json.put(PayloadField.ERROR_CLASS.text(), failure.getClass().getName());
			json.put(PayloadField.ERROR_MESSAGE.text(), FailureText.message(failure));
			if (lines > 0) {
				ArrayNode backtrace = json.putArray(PayloadField.ERROR_BACKTRACE.text());
				FailureText.backtrace(failure, lines).forEach(backtrace::add);
			}
		});
	}

	/**
	 * Return the outcome that makes a job dead although it has thrown no exception. If
	 * the job is ordered, only the payload with the smallest score becomes dead. An
	 * unreadable job is kept as stored.
	 * @param ran how long the run took; {@code null} if unknown
	 */
	Failed dead(JobToken token, byte[] stored, RunCutShortException reason, @Nullable Duration ran) {
		try {
			Form form = Forms.read(this.codec, token.queue(), stored);
			long now = this.clock.millis();
			JobPayload job = withFailure(form.job(), reason, token.process(), ran, now).with((json) -> {
				json.put(json.has(PayloadField.FAILED_AT.text()) ? PayloadField.RETRIED_AT.text()
						: PayloadField.FAILED_AT.text(), now);
				json.put(PayloadField.ERROR_CLASS.text(), reason.getClass().getName());
				json.put(PayloadField.ERROR_MESSAGE.text(), reason.getMessage());
			});
			Failed death = new Outcome.Dead(this.codec.write(job), new Failure(job, reason, Kind.CUT_SHORT));
			return apart(death, form);
		}
		catch (InvalidJobException ex) {
			return dead(token, stored, new Failure(null, reason, Kind.CUT_SHORT));
		}
	}

	RunCutShortException crashed(String process, long crashes) {
		return new RunCutShortException("Process %s died while it ran this job, and so did %d before it; found at %s"
			.formatted(process, crashes - 1, this.clock.instant()));
	}

	RunCutShortException mayHaveRun(String process, String how) {
		return new RunCutShortException("The job may have run: process %s %s while it ran it, at %s, and its queue "
			.formatted(process, how, this.clock.instant()) + "runs each job at most once");
	}

}
