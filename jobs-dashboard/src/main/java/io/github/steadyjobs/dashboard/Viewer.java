package io.github.steadyjobs.dashboard;

/**
 * Somebody who looks at the pages.
 *
 * @param role what they may do
 * @param seesValues whether they may see arguments of jobs and messages of failures
 * @param name who they are, to be shown to others
 */
record Viewer(Role role, boolean seesValues, String name) {

	boolean may(Role needed) {
		return this.role.includes(needed);
	}

}
