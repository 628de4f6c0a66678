package io.github.steadyjobs.server;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;

/**
 * A job whose behaviour is defined by the test.
 */
public class TestJobs {

	public static final String NAME = "test.job";

	private final Body body;

	public TestJobs(Body body) {
		this.body = body;
	}

	@Job(name = NAME)
	public void run(int number, JobContext job) throws Exception {
		this.body.run(number, job);
	}

	/**
	 * The behaviour of the job.
	 */
	@FunctionalInterface
	public interface Body {

		void run(int number, JobContext job) throws Exception;

	}

}
