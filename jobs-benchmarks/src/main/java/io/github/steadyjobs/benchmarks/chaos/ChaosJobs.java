package io.github.steadyjobs.benchmarks.chaos;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;

/**
 * The job of the chaos program. It takes a while, fails as often as asked, and writes
 * down what it does.
 */
class ChaosJobs {

	static final String NAME = "chaos";

	private final EffectLog log;

	ChaosJobs(EffectLog log) {
		this.log = log;
	}

	@Job(name = NAME, queue = "chaos-a")
	void run(Order order, JobContext job) throws Exception {
		EffectLog.Effect effect = this.log.begin(order.number(), job.id(), job.fencingToken());
		try {
			Thread.sleep(order.millis());
		}
		catch (InterruptedException ex) {
			effect.interrupted();
			throw ex;
		}
		if (job.attempt() <= order.failures()) {
			effect.failed();
			throw new OrderedFailure();
		}
		effect.done();
	}

	/**
	 * A failure that was asked for, whose stack trace means nothing.
	 */
	static final class OrderedFailure extends Exception {

		private static final long serialVersionUID = 1;

		OrderedFailure() {
			super("Failed as ordered", null, false, false);
		}

	}

}
