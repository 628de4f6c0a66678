package io.github.steadyjobs.dashboard;

/**
 * A page of the dashboard. A new page needs an implementation, a template and its texts.
 * Thread-safe.
 */
interface Page {

	/**
	 * Return the address of the page: a name without a slash, empty for the overview.
	 */
	String name();

	/** Return the entry of the navigation that this page belongs to. */
	Area area();

	/** Return the role that a viewer needs to see this page. */
	default Role role() {
		return Role.VIEW;
	}

	/**
	 * Return the content of the page.
	 * @throws RefusedException if the requested object does not exist, or if a parameter
	 * is invalid
	 * @throws io.github.steadyjobs.JobStoreException if Redis does not answer
	 */
	View view(Visit visit);

}
