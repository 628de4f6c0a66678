package io.github.steadyjobs.dashboard;

/**
 * A page of the dashboard. A new page needs a subclass, a template and its texts.
 * Thread-safe.
 */
abstract class Page {

	private final String name;

	private final Area area;

	private final Role role;

	/** Create the page that an entry of the navigation leads to. */
	Page(Area area) {
		this(area.page(), area);
	}

	/** Create a page that needs only the role {@code VIEW}. */
	Page(String name, Area area) {
		this(name, area, Role.VIEW);
	}

	/**
	 * Create a page.
	 * @param name the address of the page: a name without a slash, empty for the overview
	 * @param area the entry of the navigation that the page belongs to
	 * @param role the role that a viewer needs to see the page
	 */
	Page(String name, Area area, Role role) {
		this.name = name;
		this.area = area;
		this.role = role;
	}

	final String name() {
		return this.name;
	}

	final Area area() {
		return this.area;
	}

	final Role role() {
		return this.role;
	}

	/**
	 * Return the content of the page.
	 * @throws RefusedException if the requested object does not exist, or if a parameter
	 * is invalid
	 * @throws io.github.steadyjobs.JobStoreException if Redis does not answer
	 */
	abstract View view(Visit visit);

}
