package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.Names;

import org.springframework.util.Assert;

/**
 * A named set of queues with workers of its own.
 *
 * @param name the {@linkplain Names#isName name} of the capsule
 * @param concurrency how many jobs run at the same time
 * @param order how workers are shared out among the queues
 * @param claimAhead how long jobs that are claimed beyond the free workers may be
 * expected to wait for one, 0 to claim no more than there are free workers. Nothing is
 * claimed ahead either by a single worker, which runs jobs in their order, or where a
 * queue is served at most once
 * @param queues the queues, the most important first where the order is strict
 */
public record Capsule(String name, int concurrency, Order order, Duration claimAhead, List<Queue> queues) {

	public Capsule {
		Assert.isTrue(Names.isName(name), () -> "'name' must be %s, and is '%s'".formatted(Names.RULE, name));
		Assert.isTrue(concurrency > 0, "'concurrency' must be positive");
		Assert.isTrue(!claimAhead.isNegative(), "'claimAhead' must not be negative");
		Assert.notEmpty(queues, "'queues' must not be empty");
		queues = List.copyOf(queues);
		Set<String> names = new HashSet<>();
		for (Queue queue : queues) {
			Assert.isTrue(names.add(queue.name()), () -> "Queue '%s' is listed twice".formatted(queue.name()));
		}
	}

	List<String> queueNames() {
		return this.queues.stream().map(Queue::name).toList();
	}

	/**
	 * A queue of a capsule.
	 *
	 * @param name the {@linkplain Names#isName name} of the queue
	 * @param weight how often the queue is drawn, in proportion to the other weights; at
	 * least 1 counts
	 * @param atMostOnce whether a job is dead, instead of running again, if its process
	 * died or was stopped while it ran
	 */
	public record Queue(String name, int weight, boolean atMostOnce) {

		public Queue {
			Assert.isTrue(Names.isName(name), () -> "'name' must be %s, and is '%s'".formatted(Names.RULE, name));
			Assert.isTrue(weight >= 0, "'weight' must not be negative");
		}

		/**
		 * Create a queue whose jobs run at least once.
		 */
		public Queue(String name, int weight) {
			this(name, weight, false);
		}

	}

	/**
	 * How workers are shared out among the queues of a capsule.
	 */
	public enum Order {

		/** As listed: a queue gets what those before it leave. */
		STRICT,

		/** Drawn at random in proportion to the weights. */
		WEIGHTED,

		/** Drawn at random, all equally likely. */
		RANDOM,

		/** In turns. */
		ROUND_ROBIN,

		/** The queue first whose oldest job has waited longest. */
		LAG

	}

	/**
	 * What a capsule of this process is doing.
	 *
	 * @param name the name of the capsule
	 * @param queues the queues it serves
	 * @param concurrency how many jobs it runs at the same time
	 * @param busy how many jobs it runs now
	 * @param stalled whether it does nothing although it should: jobs are ready, a worker
	 * is free and Redis answers
	 */
	public record Status(String name, List<String> queues, int concurrency, int busy, boolean stalled) {

		@Override
		public String toString() {
			return "%s (%d workers: %s)".formatted(this.name, this.concurrency, String.join(", ", this.queues));
		}

	}

}
