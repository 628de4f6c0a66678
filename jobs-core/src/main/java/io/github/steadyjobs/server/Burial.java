package io.github.steadyjobs.server;

import java.time.Clock;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.server.Failure.Kind;

/**
 * Buries jobs that ended with their process, with the reason in the payload. Thread safe.
 */
final class Burial {

	private final WorkStore store;

	private final DeadLimits limits;

	private final Hooks hooks;

	private final PayloadCodec codec;

	private final Clock clock;

	Burial(WorkStore store, DeadLimits limits, Hooks hooks, PayloadCodec codec, Clock clock) {
		this.store = store;
		this.limits = limits;
		this.hooks = hooks;
		this.codec = codec;
		this.clock = clock;
	}

	/**
	 * Bury a job and wait until Redis has done it.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	void bury(JobToken token, byte[] stored, RunCutShortException reason) {
		Outcome.Dead death = of(stored, reason);
		this.hooks.tellOfDeath(death, Waits.on(this.store.bury(token, death.payload(), this.limits)));
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
