package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;

/**
 * A job that was enqueued in a test. If payloads of a key were merged, there is one
 * object for each payload. Immutable.
 */
public final class RecordedJob {

	private static final int LONGEST = 300;

	private final JobPayload payload;

	private final Moment moment;

	private final String thread;

	RecordedJob(JobPayload payload, Moment moment, String thread) {
		this.payload = payload;
		this.moment = moment;
		this.thread = thread;
	}

	/** Read what is stored for a job. */
	static JobPayload read(PayloadCodec codec, NewJob job) {
		return (job.ordering() != null) ? Gathered.read(job.payload()).first(codec) : codec.read(job.payload());
	}

	/**
	 * Return the job as it was stored: name, queue, arguments, options.
	 * @return the job
	 */
	public JobPayload payload() {
		return this.payload;
	}

	/**
	 * Return the delay of the job.
	 * @return the time between enqueueing and the due time; zero if the job is due at
	 * once
	 */
	public Duration dueIn() {
		Instant at = this.payload.at();
		return (at != null) ? Duration.between(this.payload.createdAt(), at) : Duration.ZERO;
	}

	/**
	 * Return when the job is due.
	 * @return the due time; the time of enqueueing if the job is due at once
	 */
	public Instant dueAt() {
		return Objects.requireNonNullElse(this.payload.at(), this.payload.createdAt());
	}

	/**
	 * Return when the job was stored, with regard to the transaction of its thread.
	 * @return the moment
	 */
	public Moment moment() {
		return this.moment;
	}

	/**
	 * Return the name of the thread that enqueued the job.
	 * @return the name
	 */
	public String thread() {
		return this.thread;
	}

	@Override
	public String toString() {
		String arguments = this.payload.arguments().toString();
		String shown = arguments.substring(1, arguments.length() - 1);
		if (shown.length() > LONGEST) {
			shown = shown.substring(0, LONGEST) + "…";
		}
		return "%s(%s) in queue '%s', due %s, %s".formatted(this.payload.name(), shown, this.payload.queue(),
				dueIn().isZero() ? "now" : "in " + dueIn(), this.moment.text);
	}

	/** When a job was stored, with regard to the transaction of its thread. */
	public enum Moment {

		/** There was no transaction. */
		OUTSIDE("without a transaction"),

		/** The transaction had not committed, because of the option beforeCommit. */
		IN_TRANSACTION("before the commit"),

		/** The transaction had committed. */
		AFTER_COMMIT("after the commit");

		private final String text;

		Moment(String text) {
			this.text = text;
		}

	}

}
