package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import org.jspecify.annotations.NullMarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the work of a worker for each job or each claim, apart from the job itself.
 * This class is in the package of the worker, so that nothing in that package has to be
 * made public.
 */
@NullMarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WorkerBenchmark {

	private static final ServerInterceptor PROCEEDING = (job, chain) -> chain.proceed();

	private final ServerChain chain = new ServerChain(List.of(PROCEEDING, PROCEEDING, PROCEEDING), List.of());

	private final JobContext job = JobContext.none();

	/**
	 * Run a job through three interceptors.
	 * @return the outcome of the run
	 * @throws Exception never
	 */
	@Benchmark
	public Object chain() throws Exception {
		return this.chain.run(this.job, () -> {
		}).start();
	}

	/**
	 * Divide capacity for 100 jobs among three queues, as a worker does once per claim.
	 * @param orders the order of the queues
	 * @return the share of each queue
	 */
	@Benchmark
	public int[] share(Orders orders) {
		int[] shares = new int[3];
		orders.queueOrder.share(100, orders.queues, shares);
		return shares;
	}

	/**
	 * The queue orders to measure. Each run of the benchmark uses one of these orders.
	 */
	@State(Scope.Benchmark)
	public static class Orders {

		/**
		 * The order of the queues.
		 */
		@Param({ "STRICT", "WEIGHTED", "ROUND_ROBIN" })
		public Order order = Order.WEIGHTED;

		private final boolean[] queues = { true, true, true };

		private QueueOrder queueOrder = queueOrder();

		/**
		 * Create the order of queues again, now that JMH has set {@link #order}.
		 */
		@Setup
		public void prepare() {
			this.queueOrder = queueOrder();
		}

		private QueueOrder queueOrder() {
			Capsule capsule = new Capsule("default", 10, this.order, Duration.ofMillis(5),
					List.of(new Queue("critical", 6), new Queue("default", 3), new Queue("low", 1)));
			return QueueOrders.of(capsule, Capsule.Order.LAG, (names) -> {
				throw new UnsupportedOperationException();
			}, new Random(42));
		}

	}

}
