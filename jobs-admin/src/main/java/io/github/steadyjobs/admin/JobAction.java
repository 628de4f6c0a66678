package io.github.steadyjobs.admin;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A change to one or many jobs.
 */
public enum JobAction {

	/**
	 * Make jobs ready that are scheduled, wait for a retry or are parked. They come next.
	 */
	RUN_NOW("is the next one to run", EnumSet.of(JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/**
	 * Make dead jobs and jobs waiting for a retry ready. They go to the end of the queue.
	 * A dead job is tried once, and is dead again if that fails too.
	 */
	RETRY("runs again", EnumSet.of(JobPlace.RETRIES, JobPlace.DEAD)),

	/** Move jobs that wait to the dead set. Their locks end. */
	KILL("was killed",
			EnumSet.of(JobPlace.READY, JobPlace.SUSPECTS, JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/** Delete jobs that do not run. Their locks end. */
	DELETE("was deleted", EnumSet.complementOf(EnumSet.of(JobPlace.WORKING)));

	private final String done;

	private final Set<JobPlace> places;

	JobAction(String done, Set<JobPlace> places) {
		this.done = done;
		this.places = places;
	}

	/** Return the name by which this action is requested. */
	String text() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Return a description of a job after this action. */
	String done() {
		return this.done;
	}

	/** Return the places whose jobs this can change, as text. */
	String placesText() {
		return this.places.stream().map((place) -> "'" + place.part().text() + "'").collect(Collectors.joining(" or "));
	}

	/** Return the places of jobs that this can be done to. */
	Set<JobPlace> places() {
		return this.places;
	}

}
