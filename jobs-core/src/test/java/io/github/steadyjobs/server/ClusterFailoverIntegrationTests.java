package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.support.ClusterTest;
import io.github.steadyjobs.support.SixNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers and clients under load in a cluster whose masters die. One capsule
 * serves three queues, one on each master. The application uses the default settings for
 * clusters.
 */
@ClusterTest
@ExtendWith(OutputCaptureExtension.class)
class ClusterFailoverIntegrationTests {

	private static final long LONGEST_GAP = Duration.ofSeconds(1).toNanos();

	private static final long MOST_AFTER_RECOVERY = Duration.ofSeconds(5).toNanos();

	private final SixNodes cluster = SixNodes.start();

	private final List<String> queues = List.of(this.cluster.queueOf(0), this.cluster.queueOf(1),
			this.cluster.queueOf(2));

	private final String dead = this.queues.get(0);

	private final List<RedisConnections> opened = new ArrayList<>();

	private final Map<String, Queue<Long>> begun = new ConcurrentHashMap<>();

	private final Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();

	private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();

	private final AtomicInteger numbers = new AtomicInteger();

	private final List<Thread> producers = new ArrayList<>();

	private volatile boolean produce = true;

	@AfterEach
	void close() {
		this.produce = false;
		this.opened.forEach(RedisConnections::close);
		this.cluster.close();
	}

	@Test
	void killMasterUnderLoadLeavesOtherQueuesAloneAndLosesNothing(CapturedOutput output) throws Exception {
		WorkerFixture producer = workers().build();
		try (WorkerFixture worker = workers().start()) {
			this.queues.forEach((queue) -> startProducer(producer, queue));
			awaitRunsIn(this.queues);
			int before = output.getAll().length();
			long killed = System.nanoTime();
			this.cluster.kill(0);
			this.cluster.awaitMaster(this.dead);
			long recovered = System.nanoTime();
			awaitRunAfter(recovered, this.dead);
			long served = System.nanoTime();
			stopProducers();
			awaitAllRan();
			assertThat(this.queues.subList(1, 3))
				.allSatisfy((queue) -> assertThat(longestGap(queue, killed, served)).isLessThan(LONGEST_GAP));
			assertThat(firstAfter(recovered, this.dead) - recovered).isLessThan(MOST_AFTER_RECOVERY);
			assertThat(ourLines(output.getAll().substring(before))).hasSizeLessThanOrEqualTo(2);
			worker.awaitEmpty(this.queues.toArray(String[]::new));
		}
		finally {
			producer.close();
		}
		assertThat(twice()).isEmpty();
	}

	@Test
	void restartAfterFailoverRunsNothingAgain() throws Exception {
		WorkerFixture producer = workers().build();
		try (WorkerFixture worker = workers().start()) {
			this.queues.forEach((queue) -> startProducer(producer, queue));
			awaitRunsIn(this.queues);
			this.cluster.kill(0);
			this.cluster.awaitMaster(this.dead);
			awaitRunAfter(System.nanoTime(), this.dead);
			stopProducers();
		}
		try (WorkerFixture next = workers().start()) {
			awaitAllRan();
			next.awaitEmpty(this.queues.toArray(String[]::new));
		}
		finally {
			producer.close();
		}
		assertThat(twice()).isEmpty();
	}

	@Test
	void startWhenMasterIsDownServesOtherQueuesAndItsOwnAfterTheFailover(CapturedOutput output) throws Exception {
		this.cluster.kill(0);
		int before = output.getAll().length();
		WorkerFixture producer = workers().build();
		try (WorkerFixture worker = workers().start()) {
			this.queues.forEach((queue) -> startProducer(producer, queue));
			awaitRunsIn(this.queues.subList(1, 3));
			this.cluster.awaitMaster(this.dead);
			long recovered = System.nanoTime();
			awaitRunAfter(recovered, this.dead);
			stopProducers();
			awaitAllRan();
			assertThat(firstAfter(recovered, this.dead) - recovered).isLessThan(MOST_AFTER_RECOVERY);
			assertThat(ourLines(output.getAll().substring(before))).hasSizeLessThanOrEqualTo(2);
			worker.awaitEmpty(this.queues.toArray(String[]::new));
		}
		finally {
			producer.close();
		}
		assertThat(twice()).isEmpty();
	}

	private WorkerFixture.Builder workers() {
		RedisConnections connections = new RedisConnections(this.cluster.connectionFactory(Duration.ofSeconds(60)));
		this.opened.add(connections);
		return WorkerFixture.on(this.cluster.redis())
			.connections(connections)
			.beat(Duration.ofSeconds(1))
			.capsule("all", 6, Order.WEIGHTED,
					this.queues.stream().map((queue) -> new Capsule.Queue(queue, 1)).toArray(Capsule.Queue[]::new))
			.jobs(this::run);
	}

	private void run(int number, JobContext job) throws Exception {
		this.begun.computeIfAbsent(job.queue(), (queue) -> new ConcurrentLinkedQueue<>()).add(System.nanoTime());
		this.runs.computeIfAbsent(number, (key) -> new AtomicInteger()).incrementAndGet();
		pause(Duration.ofMillis(2));
	}

	// Load

	private void startProducer(WorkerFixture client, String queue) {
		Thread thread = new Thread(() -> {
			while (this.produce) {
				produce(client, queue);
				pause(Duration.ofMillis(10));
			}
		}, "producer-" + queue);
		thread.setDaemon(true);
		thread.start();
		this.producers.add(thread);
	}

	private void produce(WorkerFixture client, String queue) {
		int number = this.numbers.incrementAndGet();
		try {
			client.enqueue(queue, number);
			this.accepted.add(number);
		}
		catch (JobStoreUnavailableException | JobStoreTimeoutException ex) {
			// No caller received an answer that this job was stored.
		}
	}

	private void stopProducers() throws InterruptedException {
		this.produce = false;
		for (Thread thread : this.producers) {
			thread.join();
		}
	}

	/**
	 * Wait while other threads work.
	 */
	private static void pause(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	// Figures

	private void awaitRunsIn(List<String> queues) {
		WorkerFixture.await().until(() -> queues.stream().allMatch((queue) -> runsIn(queue).size() > 20));
	}

	private void awaitRunAfter(long time, String queue) {
		WorkerFixture.await().until(() -> runsIn(queue).stream().anyMatch((begin) -> begin - time > 0));
	}

	private void awaitAllRan() {
		WorkerFixture.await().untilAsserted(() -> assertThat(this.runs.keySet()).containsAll(this.accepted));
	}

	private Queue<Long> runsIn(String queue) {
		return this.begun.getOrDefault(queue, new ConcurrentLinkedQueue<>());
	}

	private long longestGap(String queue, long from, long to) {
		long last = from;
		long longest = 0;
		for (long begin : runsIn(queue)) {
			if (begin - from > 0 && begin - to < 0) {
				longest = Math.max(longest, begin - last);
				last = begin;
			}
		}
		return Math.max(longest, to - last);
	}

	private long firstAfter(long time, String queue) {
		return runsIn(queue).stream()
			.filter((begin) -> begin - time > 0)
			.mapToLong(Long::longValue)
			.min()
			.orElseThrow();
	}

	private Map<Integer, Integer> twice() {
		Map<Integer, Integer> twice = new HashMap<>();
		this.runs.forEach((number, count) -> {
			if (count.get() > 1) {
				twice.put(number, count.get());
			}
		});
		return twice;
	}

	private static List<String> ourLines(String output) {
		return output.lines()
			.filter((line) -> line.contains(" io.github.steadyjobs."))
			// Ignore the lines that are logged at each start and stop.
			.filter((line) -> !line.contains(".JobCollector ") && !line.contains(".Launcher "))
			.toList();
	}

}
