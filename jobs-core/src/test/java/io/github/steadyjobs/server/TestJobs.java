package io.github.steadyjobs.server;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;

/**
 * A job that does what a test wants.
 */
class TestJobs {

	static final String NAME = "test.job";

	private final Body body;

	TestJobs(Body body) {
		this.body = body;
	}

	@Job(name = NAME)
	void run(int number, JobContext job) throws Exception {
		this.body.run(number, job);
	}

	/**
	 * What the job does.
	 */
	@FunctionalInterface
	interface Body {

		void run(int number, JobContext job) throws Exception;

	}

}
