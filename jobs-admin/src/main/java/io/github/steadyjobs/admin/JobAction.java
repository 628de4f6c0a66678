package io.github.steadyjobs.admin;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A change that an operator can make to one job or to many jobs.
 */
public enum JobAction {

	/**
	 * Make jobs that are scheduled, parked or waiting for a retry ready to run. They go
	 * to the head of their queue.
	 */
	RUN_NOW("is the next one to run", EnumSet.of(JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/**
	 * Make jobs that are dead or waiting for a retry ready to run. They go to the end of
	 * their queue. A dead job gets one attempt, and is dead again if it fails.
	 */
	RETRY("runs again", EnumSet.of(JobPlace.RETRIES, JobPlace.DEAD)),

	/** Move waiting jobs to the dead set. Their locks are released. */
	KILL("was killed",
			EnumSet.of(JobPlace.READY, JobPlace.SUSPECTS, JobPlace.SCHEDULED, JobPlace.RETRIES, JobPlace.PARKED)),

	/** Delete jobs that are not running. Their locks are released. */
	DELETE("was deleted", EnumSet.complementOf(EnumSet.of(JobPlace.WORKING)));

	private final String done;

	private final Set<JobPlace> places;

	JobAction(String done, Set<JobPlace> places) {
		this.done = done;
		this.places = places;
	}

	/** Return the name of this action in requests. */
	String text() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Return the effect of this action on a job, as part of a sentence. */
	String done() {
		return this.done;
	}

	/** Return the names of the places whose jobs this action can change. */
	String placesText() {
		return this.places.stream().map((place) -> "'" + place.part().text() + "'").collect(Collectors.joining(" or "));
	}

	/** Return the places whose jobs this action can change. */
	public Set<JobPlace> places() {
		return EnumSet.copyOf(this.places);
	}

}
