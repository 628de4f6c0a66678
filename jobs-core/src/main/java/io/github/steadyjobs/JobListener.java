package io.github.steadyjobs;

import java.time.Duration;

/**
 * Told about the runs of jobs, for figures and reports. Called on the thread that runs
 * the job; must be thread safe and quick. What it throws is logged and changes nothing.
 */
public interface JobListener {

	/**
	 * A job is about to run.
	 * @param job the job
	 * @param waited how long it was ready before a worker took it, as far as the clocks
	 * of producer and Redis agree; never negative
	 */
	default void started(JobContext job, Duration waited) {
	}

	/**
	 * A run has ended, and Redis is about to be told.
	 * @param job the job
	 * @param outcome how it ended
	 * @param ran how long it ran
	 */
	default void ended(JobContext job, JobOutcome outcome, Duration ran) {
	}

}
