package io.github.steadyjobs.benchmarks.chaos;

import org.jspecify.annotations.Nullable;

/**
 * The producer's record of a job. Times are milliseconds since the epoch.
 *
 * @param job number of the job
 * @param update the key and version of a payload of the ordered job; {@code null} for a
 * plain job
 * @param id id of the job, {@code null} if no answer arrived
 * @param from when the push began, with its first attempt
 * @param to when it was answered or abandoned
 */
record Push(int job, @Nullable Update update, @Nullable String id, long from, long to) {

	/**
	 * Return whether the job was accepted. If the job was not accepted, there was no
	 * answer: the job may or may not be stored, and was not sent again.
	 */
	boolean accepted() {
		return this.id != null;
	}

}
