package io.github.steadyjobs.doctor;

import java.util.Optional;

/**
 * An additional check of the {@link Doctor}, contributed by another module. The check
 * concerns only workers, so it is skipped until they have started.
 */
public interface Examination {

	/** Return the check. Its configured severity limits the severity of the finding. */
	Check check();

	/**
	 * Look for a problem.
	 * @return the finding, if there is a problem
	 * @throws io.github.steadyjobs.JobStoreException if Redis refused the request, is not
	 * reachable or did not answer
	 */
	Optional<Finding> examine();

}
