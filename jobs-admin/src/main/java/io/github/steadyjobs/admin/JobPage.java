package io.github.steadyjobs.admin;

import java.util.List;

/**
 * Some of the jobs that a query asks for. It may have fewer jobs than requested, or none,
 * without being the last page, because the number of jobs examined for a page is bounded.
 *
 * @param jobs the jobs
 * @param examined how many jobs were looked at
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
