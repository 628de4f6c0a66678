package io.github.steadyjobs.server;

import java.time.Clock;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Failure.Kind;

/**
 * Writes into a job that ended with its process why it is dead. Thread safe.
 */
final class Burial {

	private final PayloadCodec codec;

	private final Clock clock;

	Burial(PayloadCodec codec, Clock clock) {
		this.codec = codec;
		this.clock = clock;
	}

	/**
	 * Return the death of a job, which keeps its stored payload if nobody can read that.
	 */
	Outcome.Dead of(byte[] stored, RunCutShortException reason) {
		try {
			JobPayload job = this.codec.read(stored).with((json) -> {
				json.put(json.has("failed_at") ? "retried_at" : "failed_at", this.clock.millis());
				json.put("error_class", reason.getClass().getName());
				json.put("error_message", reason.getMessage());
			});
			return new Outcome.Dead(this.codec.write(job), new Failure(job, reason, Kind.CUT_SHORT));
		}
		catch (InvalidJobException ex) {
			return new Outcome.Dead(null, new Failure(null, reason, Kind.CUT_SHORT));
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
