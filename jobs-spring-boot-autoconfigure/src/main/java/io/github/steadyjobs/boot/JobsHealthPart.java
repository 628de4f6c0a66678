package io.github.steadyjobs.boot;

import java.util.Map;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Details that an optional module adds to the health of jobs.
 */
interface JobsHealthPart {

	/**
	 * Add the details of this module to the health of jobs.
	 * @return the status that results from these details
	 */
	Status addTo(Health.Builder builder);

	/**
	 * Return the data losses in Redis that were detected.
	 * @return descriptions of the losses, by queue
	 */
	default Map<String, String> dataLosses() {
		return Map.of();
	}

}
