package io.github.steadyjobs.doctor;

import java.util.Optional;

/**
 * A check that another module adds to those of the {@link Doctor}. It concerns only
 * workers, and is left out until they have begun.
 */
public interface Examination {

	/** Return the check, whose severity is the worst that the finding can have. */
	Check check();

	/**
	 * Look for a problem.
	 * @return the finding, if there is a problem
	 * @throws io.github.steadyjobs.JobStoreException if Redis refused, is not reachable
	 * or did not answer
	 */
	Optional<Finding> examine();

}
