package io.github.steadyjobs.application;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;

/**
 * A bean with a job. Tests can wait until the job has run.
 */
class GreetingJobs {

	private final BlockingQueue<String> greeted = new LinkedBlockingQueue<>();

	@Job
	@NotIdempotent("greets again")
	void greet(String name) {
		this.greeted.add(name);
	}

	String next() throws InterruptedException {
		return this.greeted.poll(30, TimeUnit.SECONDS);
	}

}
