package io.github.steadyjobs.dashboard;

/**
 * What a viewer may do. Each role includes those before it.
 */
enum Role {

	/** Nothing, not even look. */
	NONE,

	/** See the pages. */
	VIEW,

	/** Do what can be undone, such as pausing a queue. */
	OPERATE,

	/** Do everything. */
	ADMINISTER;

	boolean includes(Role other) {
		return compareTo(other) >= 0;
	}

}
