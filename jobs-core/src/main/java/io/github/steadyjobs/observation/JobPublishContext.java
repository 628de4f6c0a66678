package io.github.steadyjobs.observation;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.EnqueueResult;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * The context of {@link JobsObservation#JOB_PUBLISH}. The headers that a tracer writes
 * into the carrier are stored in the {@link io.github.steadyjobs.JobContext#meta() meta}
 * of the jobs.
 */
public final class JobPublishContext extends SenderContext<Map<String, String>> {

	private final String id;

	private final String job;

	private final String queue;

	private int jobs = 1;

	private boolean ended;

	private @Nullable EnqueueResult result;

	JobPublishContext(String id, String job, String queue) {
		super(TraceHeaders::set);
		this.id = id;
		this.job = job;
		this.queue = queue;
		setCarrier(new LinkedHashMap<>(4));
	}

	void ended(int jobs, @Nullable EnqueueResult result) {
		this.jobs = jobs;
		this.result = result;
		this.ended = true;
	}

	/** Return the id of the job; in a bulk push, the id of the first job. */
	public String id() {
		return this.id;
	}

	/** Return the name of the job; in a bulk push, the name of the first job. */
	public String job() {
		return this.job;
	}

	/** Return the queue of the job; in a bulk push, the queue of the first job. */
	public String queue() {
		return this.queue;
	}

	/** Return the number of jobs, which is 1 until the observation ends. */
	public int jobs() {
		return this.jobs;
	}

	/** Return whether the call has ended. */
	public boolean isEnded() {
		return this.ended;
	}

	/**
	 * Return the result of the call.
	 * @return the result; {@code null} until the observation ends, for a bulk push, and
	 * if the caller gets an exception
	 */
	public @Nullable EnqueueResult result() {
		return this.result;
	}

}
