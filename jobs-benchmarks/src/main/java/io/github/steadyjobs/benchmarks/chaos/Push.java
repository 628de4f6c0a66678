package io.github.steadyjobs.benchmarks.chaos;

import org.jspecify.annotations.Nullable;

/**
 * What the producer knows about a job. Times are milliseconds since the epoch.
 *
 * @param job number of the job
 * @param update which payload of the ordered job it is, {@code null} for a plain job
 * @param id id of the job, {@code null} if the answer did not arrive
 * @param from when the push began
 * @param to when it was answered or given up
 */
record Push(int job, @Nullable Update update, @Nullable String id, long from, long to) {

	/**
	 * Return whether the job was accepted. If not, there was no answer: it may be stored
	 * or not, and was not sent again.
	 */
	boolean accepted() {
		return this.id != null;
	}

}
