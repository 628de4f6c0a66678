package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A named set of queues with its own workers.
 *
 * @param name the {@linkplain Names#isName name} of the capsule
 * @param concurrency the number of workers, each with one run at a time
 * @param order how workers are shared out among the queues
 * @param claimAhead the maximum expected wait of a job that is claimed before a worker is
 * free for it; 0 to claim no such jobs. Ignored in three cases: if there is a single
 * worker, because it must run jobs in order; if any queue delivers jobs at most once; and
 * if {@code maxCrashes} is 1 or 2
 * @param queues the queues; if the order is strict, the most important queue comes first
 * @param rules the fetching rules of the application
 */
public record Capsule(String name, int concurrency, Order order, Duration claimAhead, List<Queue> queues, Rules rules) {

	public Capsule {
		Assert.isTrue(Names.isName(name), () -> "'name' must be %s, but is '%s'".formatted(Names.RULE, name));
		Assert.isTrue(concurrency > 0, "'concurrency' must be positive");
		Assert.isTrue(!claimAhead.isNegative(), "'claimAhead' must not be negative");
		Assert.notEmpty(queues, "'queues' must not be empty");
		queues = List.copyOf(queues);
		Set<String> names = new HashSet<>();
		for (Queue queue : queues) {
			Assert.isTrue(names.add(queue.name()), () -> "Queue '%s' is listed twice".formatted(queue.name()));
		}
	}

	/** Create a capsule for which the application defines no fetching rules. */
	public Capsule(String name, int concurrency, Order order, Duration claimAhead, List<Queue> queues) {
		this(name, concurrency, order, claimAhead, queues, Rules.NONE);
	}

	List<String> queueNames() {
		return this.queues.stream().map(Queue::name).toList();
	}

	/**
	 * Return the names that the queues have in Redis, in order. A queue that is divided
	 * into parts is represented by the names of its parts.
	 */
	List<String> parts() {
		return this.queues.stream().flatMap((queue) -> queue.names().stream()).toList();
	}

	/**
	 * Restrict queues that are divided into parts to the parts that this process serves.
	 * @param capsules the capsules with all known parts
	 * @param chosen takes the known part numbers of each queue that is divided into
	 * parts, by queue name, and returns the numbers that this process serves
	 * @return the capsules; queues without a served part and capsules without a served
	 * queue are left out
	 */
	public static List<Capsule> serving(List<Capsule> capsules, UnaryOperator<Map<String, List<Integer>>> chosen) {
		Map<String, List<Integer>> known = new TreeMap<>();
		capsules.forEach((capsule) -> capsule.queues.stream()
			.filter((queue) -> !queue.parts.isEmpty())
			.forEach((queue) -> known.put(queue.name, queue.parts)));
		if (known.isEmpty()) {
			return capsules;
		}
		Map<String, List<Integer>> served = chosen.apply(known);
		List<Capsule> all = new ArrayList<>();
		for (Capsule capsule : capsules) {
			List<Queue> queues = capsule.queues.stream()
				.map((queue) -> known.containsKey(queue.name) ? queue.with(served.get(queue.name)) : queue)
				.filter(Objects::nonNull)
				.toList();
			if (!queues.isEmpty()) {
				all.add(new Capsule(capsule.name, capsule.concurrency, capsule.order, capsule.claimAhead, queues,
						capsule.rules));
			}
		}
		return all;
	}

	/**
	 * A queue of a capsule.
	 *
	 * @param name the {@linkplain Names#isName name} of the queue
	 * @param weight the relative frequency with which the queue is drawn; at least 1
	 * @param atMostOnce whether a job becomes dead, instead of running again, if its
	 * process dies or stops during the run
	 * @param parts the numbers of the parts to serve; empty if the queue is not divided
	 * @param batchSize the maximum number of jobs in one run; 1 if the queue is not
	 * divided into parts
	 */
	public record Queue(String name, int weight, boolean atMostOnce, List<Integer> parts, int batchSize) {

		public Queue {
			Assert.isTrue(Names.isName(name), () -> "'name' must be %s, but is '%s'".formatted(Names.RULE, name));
			Assert.isTrue(weight > 0,
					() -> "'weight' of queue '%s' must be at least 1, but is %d".formatted(name, weight));
			Assert.isTrue(batchSize > 0 && batchSize <= WorkStore.CLAIMED_AT_ONCE,
					() -> "'batchSize' must be 1 to %d, but is %d".formatted(WorkStore.CLAIMED_AT_ONCE, batchSize));
			Assert.isTrue(parts.isEmpty() || !atMostOnce, "Ordered jobs cannot be delivered at most once");
			Assert.isTrue(!parts.isEmpty() || batchSize == 1, "Only ordered jobs can be run in batches");
			parts = List.copyOf(parts);
		}

		/** Create a queue that is not divided into parts. */
		public Queue(String name, int weight, boolean atMostOnce) {
			this(name, weight, atMostOnce, List.of(), 1);
		}

		/** Create a queue whose jobs run at least once. */
		public Queue(String name, int weight) {
			this(name, weight, false);
		}

		/**
		 * Create a queue that is divided into parts and whose jobs run at least once.
		 * @param parts the number of parts
		 * @param batchSize the maximum number of jobs in one run
		 */
		public static Queue inParts(String name, int weight, int parts, int batchSize) {
			return new Queue(name, weight, false, IntStream.range(0, parts).boxed().toList(), batchSize);
		}

		/** Return the names that the queue or its parts have in Redis. */
		List<String> names() {
			return this.parts.isEmpty() ? List.of(this.name)
					: this.parts.stream().map((number) -> new QueueRef(this.name, number).name()).toList();
		}

		private @Nullable Queue with(@Nullable List<Integer> parts) {
			return (parts == null || parts.isEmpty()) ? null
					: new Queue(this.name, this.weight, this.atMostOnce, parts, this.batchSize);
		}

	}

	/**
	 * The fetching rules of the application.
	 *
	 * @param selector chooses the queue for each job; {@code null} to use the order of
	 * the capsule
	 * @param filters the filters; a queue is asked for jobs only if all of them allow it
	 */
	public record Rules(@Nullable QueueSelector selector, List<FetchFilter> filters) {

		/** No rules: the application leaves all decisions to the capsule. */
		public static final Rules NONE = new Rules(null, List.of());

		public Rules {
			filters = List.copyOf(filters);
		}

	}

	/** Determines how workers are shared out among the queues of a capsule. */
	public enum Order {

		/**
		 * Queues are served in the listed order. Each queue gets the workers that earlier
		 * queues have left.
		 */
		STRICT,

		/** Queues are drawn at random, in proportion to their weights. */
		WEIGHTED,

		/** Queues are drawn at random, with equal probability. */
		RANDOM,

		/** Queues take turns. */
		ROUND_ROBIN,

		/** The queue whose oldest job has waited longest comes first. */
		LAG

	}

	/**
	 * The activity of a capsule of this process.
	 *
	 * @param name the name of the capsule
	 * @param queues the queues that the capsule serves
	 * @param concurrency the number of workers, each with one run at a time
	 * @param busy the number of workers that are executing a run
	 * @param stalled whether the capsule is making no progress although jobs are ready, a
	 * worker is free and Redis answers
	 */
	public record Status(String name, List<String> queues, int concurrency, int busy, boolean stalled) {

		@Override
		public String toString() {
			return "%s (%d %s: %s)".formatted(this.name, this.concurrency,
					(this.concurrency == 1) ? "worker" : "workers", String.join(", ", this.queues));
		}

	}

}
