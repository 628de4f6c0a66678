package io.github.steadyjobs.client;

import io.github.steadyjobs.JobContext;

/**
 * An interface that {@link MailJobs} implements.
 */
interface Mailer {

	void digest(String to, long count, JobContext job);

}
