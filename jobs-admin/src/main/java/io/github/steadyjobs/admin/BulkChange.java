package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobPayload;

/**
 * One step of a change to many jobs.
 *
 * @param done the number of jobs that were changed
 * @param refused the number of jobs that matched but were not changed, because that is
 * not possible or because another operator or a worker changed them meanwhile
 * @param examined the number of jobs that were examined, including jobs that were listed
 * but have ended or been cancelled
 * @param next where the next step begins, to be passed to {@link JobQuery#after(String)};
 * empty after the last step
 */
public record BulkChange(int done, int refused, int examined, String next) {

	/** Return whether there are more steps. */
	public boolean hasNext() {
		return !this.next.isEmpty();
	}

	/**
	 * A step of a change to many jobs. All steps of a change have the same id, which is
	 * part of their cursors.
	 *
	 * @param id the id of the change
	 * @param after where the step begins: the cursor of a page
	 */
	record Step(String id, String after) {

		private static final Pattern CURSOR = Pattern.compile("~([0-9a-f]{12}) (.*)", Pattern.DOTALL);

		static Step of(String cursor) {
			Matcher parts = CURSOR.matcher(cursor);
			return parts.matches() ? new Step(parts.group(1), parts.group(2)) : new Step(JobActivity.newId(), cursor);
		}

		/**
		 * Return the cursor of the next step. It is never empty, even if that step starts
		 * from the beginning.
		 */
		String cursor(String next) {
			return "~" + this.id + " " + next;
		}

	}

	/**
	 * A walk that changes jobs waiting for a retry. A changed job that fails again may
	 * come up a second time, and must not be changed again.
	 *
	 * @param after where the next step begins
	 * @param begun when the first step was made
	 */
	record Walk(String after, Instant begun) {

		private static final Pattern MILLIS = Pattern.compile("\\d{1,15}");

		static Walk of(String cursor) {
			int begun = cursor.lastIndexOf(' ');
			boolean isFirst = begun < 0 || begun == cursor.indexOf(' ')
					|| !MILLIS.matcher(cursor.substring(begun + 1)).matches();
			return isFirst ? new Walk(cursor, Instant.now()) : new Walk(cursor.substring(0, begun),
					Instant.ofEpochMilli(Long.parseLong(cursor.substring(begun + 1))));
		}

		String cursor(String next) {
			return next.isEmpty() ? next : next + " " + this.begun.toEpochMilli();
		}

		boolean hasMet(JobEntry job) {
			JobPayload payload = job.payload();
			Instant failed = (payload == null) ? null
					: (payload.retriedAt() != null) ? payload.retriedAt() : payload.failedAt();
			return failed != null && failed.isAfter(this.begun);
		}

	}

}
