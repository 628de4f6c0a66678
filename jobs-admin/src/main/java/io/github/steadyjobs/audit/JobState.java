package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.redis.QueuePart;

/**
 * The places of an id at one moment.
 *
 * @param letters the answer of {@code inspect.lua}
 */
record JobState(String letters) {

	private static final Map<Character, QueuePart> PLACES = new TreeMap<>(Map.of('W', QueuePart.WORKING, 'M',
			QueuePart.WORKING, 'G', QueuePart.WORKING, 'S', QueuePart.SCHEDULED, 'T', QueuePart.RETRIES, 'D',
			QueuePart.DEAD, 'K', QueuePart.PARKED, 'L', QueuePart.READY, 'Q', QueuePart.SUSPECTS));

	/**
	 * Return where the id is. Lists are among the places only if they were searched.
	 * @return the places; a place that holds the id twice is listed twice
	 */
	List<QueuePart> places() {
		List<QueuePart> places = new ArrayList<>(2);
		for (int i = 0; i < this.letters.length(); i++) {
			QueuePart place = PLACES.get(this.letters.charAt(i));
			if (place != null) {
				places.add(place);
			}
		}
		Collections.sort(places);
		return places;
	}

	/**
	 * Return this state for an id that was in a list at the same moment.
	 * @return a state with that place too
	 */
	JobState in(QueuePart list) {
		return new JobState(this.letters + ((list == QueuePart.READY) ? 'L' : 'Q'));
	}

	boolean hasPayload() {
		return has('P');
	}

	/**
	 * Return whether the id is cancelled and waits for a claim to drop it.
	 */
	boolean isCancelled() {
		return has('C');
	}

	/**
	 * Return whether the id is being worked on under a token that cannot be read.
	 */
	boolean hasUnreadableToken() {
		return has('M');
	}

	/**
	 * Return whether the id, or claim, belongs to a process that has no heartbeat.
	 */
	boolean belongsToNobody() {
		return has('G');
	}

	/**
	 * Return whether crashes are counted or a time is kept for the id.
	 */
	boolean isCounted() {
		return has('X') || has('N');
	}

	/**
	 * Return whether the entry is kept for a lock and would never end by itself.
	 */
	boolean isOrphan() {
		return has('O');
	}

	private boolean has(char letter) {
		return this.letters.indexOf(letter) >= 0;
	}

}
