package io.github.steadyjobs.boot;

import java.util.Map;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * What a module that may be missing adds to the health of jobs.
 */
interface JobsHealthPart {

	/**
	 * Add details.
	 * @return the status that follows from them
	 */
	Status addTo(Health.Builder builder);

	/**
	 * Return which data Redis has lost.
	 * @return losses by queue
	 */
	default Map<String, String> dataLosses() {
		return Map.of();
	}

}
