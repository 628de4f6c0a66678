package io.github.steadyjobs.dashboard;

/**
 * A page of the dashboard. A new page needs an implementation, a template and its words.
 * Thread-safe.
 */
interface Page {

	/**
	 * Return the address of the page: a name without a slash, empty for the overview.
	 */
	String name();

	/** Return the entry of the navigation that it belongs to. */
	Area area();

	/** Return what a viewer must be able to do to see it. */
	default Role role() {
		return Role.VIEW;
	}

	/**
	 * Return the content of the page.
	 * @throws RefusedException if what it is about does not exist, or a parameter is
	 * wrong
	 * @throws io.github.steadyjobs.JobStoreException if Redis does not answer
	 */
	View view(Visit visit);

}
