package io.github.steadyjobs.application;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A bean with jobs that note their log context, and a job that enqueues another job.
 */
class TracedJobs {

	private static final Logger logger = LoggerFactory.getLogger(TracedJobs.class);

	final Queue<String> ran = new ConcurrentLinkedQueue<>();

	final Queue<String> contexts = new ConcurrentLinkedQueue<>();

	private final JobClient client;

	TracedJobs(JobClient client) {
		this.client = client;
	}

	@Job(queue = "default")
	@NotIdempotent("only notes")
	void outer(String text) {
		note(text);
		this.client.enqueue(TracedJobs.class, (jobs) -> jobs.inner(text));
	}

	@Job(queue = "default")
	@NotIdempotent("only notes")
	void inner(String text) {
		logger.info("inner runs with {}", text);
		note(text);
	}

	@Job(queue = "default")
	@NotIdempotent("only notes")
	void failing(String text, JobContext job) {
		if (job.attempt() == 1) {
			throw new IllegalStateException("Fails once");
		}
		note(text);
	}

	@Job(queue = "default")
	@NotIdempotent("only notes")
	@Recurring(every = "${traced.every}")
	void ticking() {
		note("tick");
	}

	@Job
	@Sequential(key = "#key", score = "#version")
	void ordered(String key, int version) {
		note(key + " " + version);
	}

	private void note(String text) {
		this.ran.add(text);
		this.contexts.add("%s %s %s".formatted(text, MDC.get("tenant"), MDC.get("region")));
	}

}
