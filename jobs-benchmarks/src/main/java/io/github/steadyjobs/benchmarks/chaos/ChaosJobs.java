package io.github.steadyjobs.benchmarks.chaos;

import java.util.Objects;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the chaos program. Each job takes a while, fails as often as requested, and
 * records what it does.
 */
class ChaosJobs {

	static final String NAME = "chaos";

	static final String ORDERED = "chaos-ordered";

	private final @Nullable EffectLog log;

	/**
	 * Create the jobs.
	 * @param log where the jobs record what they do, {@code null} if the jobs are not run
	 */
	ChaosJobs(@Nullable EffectLog log) {
		this.log = log;
	}

	@Job(name = NAME, queue = "chaos-a")
	void run(Order order, JobContext job) throws Exception {
		obey(order, job);
	}

	@Job(name = ORDERED, queue = Order.ORDERED)
	@Sequential(key = "#order.update.key", score = "#order.update.version", shards = Order.SHARDS, retries = 5)
	void runOrdered(Order order, JobContext job) throws Exception {
		obey(order, job);
	}

	/**
	 * Record the time. A tick that occurs while the previous run has not ended is
	 * dropped. So if a run never ends, there are no further ticks.
	 */
	@Job(name = Order.TICKS, queue = Order.TICKS)
	@Recurring(every = "PT1S", overlap = Recurring.Overlap.SKIP)
	void tick() {
		Objects.requireNonNull(this.log).write(EffectLine.note(Long.toString(System.currentTimeMillis())));
	}

	private void obey(Order order, JobContext job) throws Exception {
		EffectLog.Effect effect = Objects.requireNonNull(this.log).begin(order.number(), job.id(), job.fencingToken());
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
	 * A deliberate failure, whose stack trace is not needed.
	 */
	static final class OrderedFailure extends Exception {

		private static final long serialVersionUID = 1;

		OrderedFailure() {
			super("Failed as ordered", null, false, false);
		}

	}

}
