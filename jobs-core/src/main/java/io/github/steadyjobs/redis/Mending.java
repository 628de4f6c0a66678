package io.github.steadyjobs.redis;

import java.util.Locale;

/**
 * What can be done about a single value that no script of ours writes.
 */
public enum Mending {

	/**
	 * Remove a field.
	 */
	DROP,

	/**
	 * Let a heartbeat count from 0 again.
	 */
	RESTART,

	/**
	 * Remove what a process has claimed that has no heartbeat.
	 */
	UNCLAIM,

	/**
	 * Make a score that is no time the present one.
	 */
	RESCORE,

	/**
	 * Remove a member of a sorted set.
	 */
	REMOVE;

	String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
