package io.github.steadyjobs.dashboard;

/**
 * Somebody who looks at the pages.
 *
 * @param role what the viewer may do
 * @param seesValues whether the viewer may see values of jobs, such as arguments and
 * error messages
 * @param name the name under which the viewer's changes are recorded
 */
record Viewer(Role role, boolean seesValues, String name) {

	boolean may(Role needed) {
		return this.role.includes(needed);
	}

}
