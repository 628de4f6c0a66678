package io.github.steadyjobs.admin;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be done to one or many jobs.
 */
public enum JobAction {

	/**
	 * Make jobs ready that are scheduled, wait for a retry or are parked. They come next.
	 */
	RUN_NOW(EnumSet.of(JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/**
	 * Make jobs ready that are dead or wait for a retry. They wait behind those that are
	 * ready. A dead job is tried once, and is dead again if that fails too.
	 */
	RETRY(EnumSet.of(JobPlace.RETRIES, JobPlace.DEAD)),

	/** Move jobs that wait to the dead set. Their locks end. */
	KILL(EnumSet.of(JobPlace.READY, JobPlace.SUSPECTS, JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/** Delete jobs that do not run. Their locks end. */
	DELETE(EnumSet.complementOf(EnumSet.of(JobPlace.WORKING)));

	private final Set<JobPlace> places;

	JobAction(Set<JobPlace> places) {
		this.places = places;
	}

	/**
	 * Return where jobs are that this can be done to.
	 */
	Set<JobPlace> places() {
		return this.places;
	}

}
