package io.github.steadyjobs.server;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A job that a claim has handed out.
 *
 * @param token gives the right to settle the job
 * @param payload the payload, which need not be JSON; {@code null} if the job was
 * cancelled before the claim was answered, so it must not run
 * @param positions the position that each data source must have reached before the run,
 * in the format of {@link io.github.steadyjobs.redis.NewJob}
 * @param claimedAt Redis time of the claim, in milliseconds since the epoch
 * @param fencingToken a number that increases with each claim of the same job
 */
record ClaimedJob(JobToken token, byte @Nullable [] payload, String positions, long claimedAt, long fencingToken) {

	String id() {
		return this.token.id();
	}

	/**
	 * Return the position that each data source must have reached before the run.
	 * @return the positions by the names of the sources
	 */
	Map<String, String> consistency() {
		if (this.positions.isEmpty()) {
			return Map.of();
		}
		Map<String, String> parsed = new LinkedHashMap<>();
		for (String position : this.positions.split(";")) {
			int end = position.indexOf('=');
			parsed.put(position.substring(0, end), position.substring(end + 1));
		}
		return Collections.unmodifiableMap(parsed);
	}

}
