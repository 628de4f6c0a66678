package io.github.steadyjobs.dashboard;

/**
 * The rights of a viewer. Each role includes the rights of the roles before it.
 */
enum Role {

	/** May do nothing, not even see the pages. */
	NONE,

	/** May see the pages. */
	VIEW,

	/** May also make changes that can be undone, such as pausing a queue. */
	OPERATE,

	/** May do everything. */
	ADMINISTER;

	boolean includes(Role other) {
		return compareTo(other) >= 0;
	}

}
