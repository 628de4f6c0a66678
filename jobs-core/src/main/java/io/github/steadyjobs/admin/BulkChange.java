package io.github.steadyjobs.admin;

/**
 * One step of a change to many jobs.
 *
 * @param done how many jobs were changed
 * @param refused how many were asked for and not changed: they were changed by others
 * meanwhile, or cannot be
 * @param examined how many jobs were looked at
 * @param next where the next step begins, to be passed to {@link JobQuery#after(String)};
 * empty after the last step
 */
public record BulkChange(int done, int refused, int examined, String next) {

	/**
	 * Return whether there are more steps.
	 * @return whether to go on
	 */
	public boolean hasNext() {
		return !this.next.isEmpty();
	}

}
