package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.ordered.ShardSplitter;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for capsules that serve queues with shards, and for {@link ShardAssignment}.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class ShardsIntegrationTests {

	private final TestRedis redis;

	private final List<Integer> ran = new CopyOnWriteArrayList<>();

	ShardsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@ParameterizedTest
	@EnumSource(names = { "LAG", "ROUND_ROBIN" })
	@DisplayName("LK-09: the workers of a capsule serve all shards of all queues")
	void startServesAllShardsBesideOtherQueues(Order ofShards) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("main", 2, Order.WEIGHTED, Queue.inParts("orders", 1, 5, 1), new Queue("mail", 1),
					Queue.inParts("stock", 1, 2, 1))
			.sharding(ofShards, ShardSplitter.byNode(1, 0))
			.jobs((number, job) -> this.ran.add(number))
			.bean(new Ordered())
			.build()) {
			List<String> parts = List.of("orders#0", "orders#1", "orders#2", "orders#3", "orders#4", "mail", "stock#0",
					"stock#1");
			for (int i = 0; i < 80; i++) {
				put(parts.get(i % parts.size()), i);
			}
			worker.start().awaitEmpty(parts.toArray(String[]::new));
			assertThat(this.ran).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 80).boxed().toList());
			// Each shard notifies the capsule of new jobs.
			for (int i = 0; i < 5; i++) {
				put("orders#" + i, 100 + i);
			}
			worker.awaitEmpty("orders#0", "orders#1", "orders#2", "orders#3", "orders#4");
			assertThat(this.ran).hasSize(85);
		}
	}

	@Test
	void startSaysWhatApplicationsKnow(CapturedOutput output) {
		try (WorkerFixture worker = ordered(3).start()) {
			assertThat(worker.launcher().capsules().get(0).queues()).containsExactly("orders");
			assertThat(output).contains("Workers started: main (2 workers: orders)");
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.contents().entrySet())
					.anyMatch((entry) -> entry.getKey().contains(":process:")
							&& ((Map<?, ?>) entry.getValue()).get("capsules").equals("main 0/2 orders")));
		}
	}

	@Test
	@DisplayName("LK-53: a worker that declares a different number of shards changes the number when the queue is empty")
	void startWhenNumberOfShardsHasChangedServesTheNewOne() {
		ordered(2).start().close();
		try (WorkerFixture worker = ordered(4).start()) {
			assertThat(registered()).isEqualTo("2 4");
			put("orders#3", 1);
			worker.awaitEmpty("orders#3");
		}
	}

	@Test
	@DisplayName("LK-53: while there are keys, the number of shards is not changed")
	void startWhenThereAreKeysServesTheOldNumberOfShards(CapturedOutput output) {
		new ShardRegistry(this.redis.connections(), this.redis.prefix()).current("orders", 4);
		put("orders#3", 1);
		try (WorkerFixture worker = ordered(2).start()) {
			worker.awaitEmpty("orders#3");
			assertThat(output).contains("Queue 'orders' keeps its 4 shards, although its job declares 2");
		}
	}

	@Test
	@DisplayName("LK-45: with node splitting, a node serves its share of the shards")
	void startWhenShardsAreSplitServesItsOwn() {
		try (WorkerFixture first = ordered(3, ShardSplitter.byNode(2, 0)).start();
				WorkerFixture second = ordered(3, ShardSplitter.byNode(2, 1)).start()) {
			WorkerFixture.await().untilAsserted(() -> {
				Set<Object> processes = processesOf("orders#0");
				assertThat(processes).hasSize(1).isEqualTo(processesOf("orders#2"));
				assertThat(processesOf("orders#1")).hasSize(1).isNotEqualTo(processes);
			});
		}
	}

	@Test
	@DisplayName("LK-46: an application can decide which shards a process serves")
	void startWhenSplitterIsOwnServesWhatItSays() {
		Map<String, Integer> asked = new ConcurrentHashMap<>();
		try (WorkerFixture worker = ordered(3, (shards) -> {
			asked.putAll(shards);
			return Map.of("orders", List.of(1));
		}).start()) {
			WorkerFixture.await().untilAsserted(() -> assertThat(processesOf("orders#1")).hasSize(1));
			assertThat(asked).isEqualTo(Map.of("orders", 3));
			assertThat(processesOf("orders#0")).isEmpty();
		}
	}

	@Test
	@DisplayName("LK-49: a node without a shard logs a message")
	void startWhenNoShardIsLeftForANodeWarnsAndServesTheRest(CapturedOutput output) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("ordered", 2, Order.WEIGHTED, Queue.inParts("orders", 1, 1, 1))
			.capsule("plain", 2, Order.WEIGHTED, new Queue("mail", 1))
			.sharding(Order.LAG, ShardSplitter.byNode(2, 1))
			.jobs((number, job) -> this.ran.add(number))
			.bean(new Ordered())
			.start()) {
			assertThat(output).contains("This process serves none of the 1 shards of queue 'orders'");
			assertThat(worker.launcher().capsules()).extracting(Capsule.Status::name).containsExactly("plain");
			put("mail", 1);
			worker.awaitEmpty("mail");
		}
	}

	@Test
	void startWhenSplitterNamesShardsThatDoNotExistIsRefused() {
		WorkerFixture worker = ordered(3, (shards) -> Map.of("orders", List.of(0, 3)));
		assertThatIllegalStateException().isThrownBy(worker::start)
			.withMessageContaining("the shards [0, 3] of queue 'orders', which has 3");
		worker.close();
	}

	@Test
	@DisplayName("LK-05: a queue has a fixed set of shards, each of which is a queue with its own hash tag")
	void partsAreTheNamesOfTheShards() {
		Capsule capsule = new Capsule("main", 1, Order.WEIGHTED, Duration.ZERO,
				List.of(Queue.inParts("orders", 1, 2, 1), new Queue("mail", 1)));
		assertThat(capsule.parts()).containsExactly("orders#0", "orders#1", "mail");
		assertThat(capsule.queueNames()).containsExactly("orders", "mail");
	}

	private WorkerFixture ordered(int shards) {
		return ordered(shards, ShardSplitter.byNode(1, 0));
	}

	private WorkerFixture ordered(int shards, ShardSplitter splitter) {
		return WorkerFixture.on(this.redis)
			.capsule("main", 2, Order.WEIGHTED, Queue.inParts("orders", 1, shards, 1))
			.sharding(Order.LAG, splitter)
			.jobs((number, job) -> this.ran.add(number))
			.bean(new Ordered())
			.build();
	}

	/**
	 * Put a job into a queue, or into a shard of a queue.
	 */
	private void put(String part, int number) {
		String id = "%012x%012x".formatted(System.currentTimeMillis(), number);
		String envelope = "{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[%s],\"queue\":\"%s\"%s}";
		String payload = QueueRef.isPart(part)
				? envelope.formatted(id, "test.ordered", "", QueueRef.queueOf(part), ",\"key\":\"k\"") + "\n1 ["
						+ number + "]\n"
				: envelope.formatted(id, TestJobs.NAME, number, part, "");
		this.redis.template().opsForHash().put(this.redis.key(part, "payloads"), id, payload);
		this.redis.template().opsForList().leftPush(this.redis.key(part, "ready"), id);
		this.redis.template().opsForList().leftPush(this.redis.key(part, "wake"), "1");
	}

	private Object registered() {
		return this.redis.template().opsForHash().get(this.redis.prefix() + ":shards", "orders");
	}

	private Set<Object> processesOf(String part) {
		return new TreeMap<>(this.redis.template().opsForHash().entries(this.redis.key(part, "beats"))).keySet()
			.stream()
			.map((name) -> ((String) name).replaceAll("\\..*", ""))
			.collect(Collectors.toSet());
	}

	class Ordered {

		@Job(name = "test.ordered", queue = "orders")
		@Sequential(key = "#p0")
		void run(int number) {
			ShardsIntegrationTests.this.ran.add(number);
		}

	}

}
