package io.github.steadyjobs.ordered;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.ordered.ShardRegistry.Count;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.script.DefaultRedisScript;

import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the number of shards can be changed while producers and workers keep
 * running.
 */
@RedisTest
class ShardChangeIntegrationTests {

	private static final String QUEUE = "orders";

	private static final int MOST_SHARDS = 6;

	private static final int PRODUCERS = 3;

	private static final int PAYLOADS = 2000;

	/** Counts the keys that have a job in more than one shard. */
	private static final String TWICE = """
			local seen, twice = {}, 0
			for _, payloads in ipairs(KEYS) do
			  for _, id in ipairs(redis.call('HKEYS', payloads)) do
			    twice = twice + (seen[id] and 1 or 0)
			    seen[id] = true
			  end
			end
			return twice
			""";

	private final TestRedis redis;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<String> shards = IntStream.range(0, MOST_SHARDS)
		.mapToObj((number) -> new QueueRef(QUEUE, number).name())
		.toList();

	private final AtomicInteger producing = new AtomicInteger(PRODUCERS);

	private final AtomicInteger produced = new AtomicInteger();

	/** The number of shards that the registry returned, by version. */
	private final Map<Integer, Integer> counts = new ConcurrentHashMap<>();

	private final Set<String> running = ConcurrentHashMap.newKeySet();

	/** The payloads that have run, in order, by key. */
	private final Map<String, List<String>> ran = new ConcurrentHashMap<>();

	ShardChangeIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
	}

	@Test
	@DisplayName("LK-53: the number of shards changes while producers and workers continue, and no key runs twice at the same time or out of order")
	void settleWhileJobsComeAndGoKeepsTheirOrder() throws Exception {
		List<Future<?>> ends = new ArrayList<>();
		for (int i = 0; i < PRODUCERS; i++) {
			int producer = i;
			ends.add(this.threads.submit(() -> produce(producer)));
		}
		ends.add(this.threads.submit(() -> change(1)));
		ends.add(this.threads.submit(() -> change(2)));
		ends.add(this.threads.submit(() -> work("p1")));
		ends.add(this.threads.submit(() -> work("p2")));
		ends.add(this.threads.submit(this::watch));
		for (Future<?> end : ends) {
			end.get(1, TimeUnit.MINUTES);
		}
		assertThat(inUse()).as("numbers of shards that were in use").hasSizeGreaterThan(2);
		assertThat(this.ran.values().stream().mapToInt(List::size).sum()).isEqualTo(this.produced.get());
		assertThat(this.ran.values()).allSatisfy((payloads) -> {
			Map<String, Integer> last = new HashMap<>();
			for (String payload : payloads) {
				String[] parts = payload.substring(1, payload.length() - 1).split(",");
				Integer before = last.put(parts[0], Integer.parseInt(parts[1]));
				assertThat(Integer.parseInt(parts[1])).isGreaterThan((before != null) ? before : -1);
			}
		});
	}

	private Void produce(int producer) {
		JobStore store = new JobStore(this.redis.connections(), this.redis.prefix());
		Random random = new Random(producer);
		// The number of shards changes only while the queue is empty, which is rare on a
		// busy machine.
		for (int i = 0; i < PAYLOADS || (inUse().size() < 3 && i < 10 * PAYLOADS); i++) {
			if (random.nextInt(100) == 0) {
				// A new store reads the number of shards again, while other stores do
				// not.
				store = new JobStore(this.redis.connections(), this.redis.prefix());
			}
			String key = "key" + random.nextInt(20);
			byte[] payload = Gathered.write(bytes("{}"), "", bytes("[%d,%d]".formatted(producer, i)));
			store.enqueue(QUEUE, new NewJob("%024x".formatted(key.hashCode()), payload, null, "",
					new NewJob.Ordering(key, 1 + random.nextInt(MOST_SHARDS)), null));
			this.produced.incrementAndGet();
			if (random.nextInt(20) == 0) {
				// The pause lets workers catch up, so that the queue is empty for a
				// moment.
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(8)));
			}
		}
		this.producing.decrementAndGet();
		return null;
	}

	private Set<Integer> inUse() {
		return Set.copyOf(this.counts.values());
	}

	private Void change(int seed) {
		Random random = new Random(seed);
		while (this.producing.get() > 0) {
			ShardRegistry registry = new ShardRegistry(this.redis.connections(), this.redis.prefix());
			Count count = registry.settle(QUEUE, 1 + random.nextInt(MOST_SHARDS),
					System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
			this.counts.put(count.version(), count.shards());
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		return null;
	}

	private Void work(String process) {
		List<ScriptFixture> queues = this.shards.stream().map((shard) -> new ScriptFixture(this.redis, shard)).toList();
		queues.forEach((queue) -> queue.join(process));
		long number = 0;
		boolean found = true;
		boolean ended = false;
		while (found || !ended) {
			long claim = ++number;
			found = false;
			// Read this first: a payload may reach a shard that has already been checked.
			ended = this.producing.get() == 0;
			for (ScriptFixture queue : queues) {
				for (Taken job : queue.take(process, claim, 10, 200)) {
					found = true;
					run(job);
					queue.acknowledge(process, job.id(), job.claim());
				}
			}
		}
		return null;
	}

	private void run(Taken job) {
		assertThat(this.running.add(job.id())).as("job of the key runs alone").isTrue();
		Gathered payloads = Gathered.read(job.payload());
		List<String> before = this.ran.computeIfAbsent(job.id(), (id) -> new CopyOnWriteArrayList<>());
		for (int i = 0; i < payloads.size(); i++) {
			before.add(new String(payloads.arguments(i), StandardCharsets.UTF_8));
		}
		this.running.remove(job.id());
	}

	private Void watch() {
		DefaultRedisScript<Long> script = new DefaultRedisScript<>(TWICE, Long.class);
		List<String> keys = this.shards.stream().map((shard) -> this.redis.key(shard, "payloads")).toList();
		while (this.producing.get() > 0) {
			assertThat(this.redis.template().execute(script, keys)).as("keys that have jobs in two shards").isZero();
		}
		return null;
	}

}
