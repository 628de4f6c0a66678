package io.github.steadyjobs.benchmarks.chaos;

import java.util.Set;

/**
 * Where jobs are in Redis.
 *
 * @param live ids of those that wait or run, now or later
 * @param dead ids of those that have failed for good
 * @param inTwoPlaces number of ids that are in more than one place
 * @param violations number of other contradictions
 */
record Places(Set<String> live, Set<String> dead, int inTwoPlaces, int violations) {

	boolean isSettled() {
		return this.live.isEmpty();
	}

}
