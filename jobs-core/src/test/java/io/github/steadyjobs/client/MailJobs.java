package io.github.steadyjobs.client;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;

/**
 * Jobs to enqueue. They do not run in these tests.
 */
class MailJobs implements Mailer {

	record Welcome(String to, int number) {

	}

	record Unknown(String value) {

	}

	@Job(name = "mail.welcome", aliases = "mail.hello", queue = "mail", retries = 5)
	void welcome(Welcome command) {
		throw new UnsupportedOperationException();
	}

	@Job(name = "mail.ping", dead = false)
	void ping() {
		throw new UnsupportedOperationException();
	}

	@Override
	@Job(name = "mail.digest")
	public void digest(String to, long count, JobContext job) {
		throw new UnsupportedOperationException();
	}

}
