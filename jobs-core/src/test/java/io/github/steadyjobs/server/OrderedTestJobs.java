package io.github.steadyjobs.server;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Sequential;

/**
 * An ordered job whose behaviour is set by the test. A payload is a number, which is also
 * its score. Every hundred consecutive numbers share a key.
 */
class OrderedTestJobs {

	static final String QUEUE = "ordered";

	private final TestJobs.Body body;

	OrderedTestJobs(TestJobs.Body body) {
		this.body = body;
	}

	@Job(name = "test.ordered", queue = QUEUE)
	@Sequential(key = "#number / 100", score = "#number", shards = 2)
	void run(int number, JobContext job) throws Exception {
		this.body.run(number, job);
	}

}
