package io.github.steadyjobs.doctor;

import java.util.Optional;

/**
 * An additional check of the {@link Doctor}, contributed by another module.
 */
public interface Examination {

	/** Return the check. Its configured severity limits the severity of the finding. */
	Check check();

	/**
	 * Return whether the check needs workers that have started. If so, it is made only
	 * when health is requested; otherwise, it is also made when the application is ready.
	 */
	default boolean needsWorkers() {
		return true;
	}

	/**
	 * Look for a problem.
	 * @return the finding, if there is a problem
	 * @throws io.github.steadyjobs.JobStoreException if Redis refused the request, is not
	 * reachable or did not answer
	 */
	Optional<Finding> examine();

}
