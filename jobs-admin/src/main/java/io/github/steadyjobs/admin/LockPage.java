package io.github.steadyjobs.admin;

import java.util.List;

/**
 * A page of the locks of a queue. If many locks were released, a page may be empty
 * without being the last page.
 *
 * @param locks the locks
 * @param next the cursor of the next page; {@link #START} after the last page
 */
public record LockPage(List<JobLock> locks, String next) {

	/** The cursor of the first page. */
	public static final String START = "0";

	public LockPage {
		locks = List.copyOf(locks);
	}

	/** Return whether there are more pages. */
	public boolean hasNext() {
		return !this.next.equals(START);
	}

}
