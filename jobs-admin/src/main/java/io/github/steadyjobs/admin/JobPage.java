package io.github.steadyjobs.admin;

import java.util.List;

/**
 * A page of the jobs that match a query. The page may have fewer jobs than requested, or
 * be empty, without being the last page, because only a limited number of jobs is
 * examined for a page.
 *
 * @param jobs the jobs
 * @param examined the number of jobs that were examined
 * @param next where the next page begins, to be passed to {@link JobQuery#after(String)};
 * empty after the last page
 */
public record JobPage(List<JobEntry> jobs, int examined, String next) {

	public JobPage {
		jobs = List.copyOf(jobs);
	}

	/** Return whether there are more pages. */
	public boolean hasNext() {
		return !this.next.isEmpty();
	}

}
