package io.github.steadyjobs.observation;

import java.util.Map;

import io.github.steadyjobs.JobContext;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.ReceiverContext;

/**
 * The context of {@link JobsObservation#JOB_PROCESS}. Its carrier is the
 * {@link JobContext#meta() meta} of the job.
 */
public final class JobProcessContext extends ReceiverContext<Map<String, String>> {

	private final JobContext job;

	private String outcome = KeyValue.NONE_VALUE;

	JobProcessContext(JobContext job) {
		super(TraceHeaders::get);
		this.job = job;
		setCarrier(job.meta());
	}

	void ended(String outcome) {
		this.outcome = outcome;
	}

	/** Return whether the run has ended. */
	public boolean isEnded() {
		return !this.outcome.equals(KeyValue.NONE_VALUE);
	}

	/** Return the job. */
	public JobContext job() {
		return this.job;
	}

	/**
	 * Return how the run has ended.
	 * @return the value of {@link JobsObservation.Key#OUTCOME}; {@code none} until the
	 * run ends
	 */
	public String outcome() {
		return this.outcome;
	}

}
