package io.github.steadyjobs.ordered;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.ordered.ShardRegistry.Count;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardRegistry} with several concurrent processes. Each call to Redis
 * is a step. A random seed determines which process takes the next step, which process
 * dies, and when the queue becomes empty.
 */
@RedisTest
class ShardInterleavingIntegrationTests {

	private static final int SEEDS = 400;

	private static final int STEPS = 60;

	private static final String QUEUE = "orders";

	private final TestRedis redis;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** The keys that have jobs, with the number of shards for which each was pushed. */
	private final Map<String, Integer> live = new HashMap<>();

	private int pushes;

	private int moves;

	private int changes;

	ShardInterleavingIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
	}

	@Test
	@DisplayName("In any interleaving, jobs are never pushed for two numbers of shards at the same time (LK-53)")
	void pushWhileCountsChangeNeverUsesTwoCountsWhileThereAreJobs() throws Exception {
		for (int seed = 1; seed <= SEEDS; seed++) {
			this.redis.clear();
			this.live.clear();
			play(seed);
		}
		// If there were few pushes, moves and changes, the seeds would prove nothing.
		assertThat(this.pushes).isGreaterThan(10 * SEEDS);
		assertThat(this.moves).isGreaterThan(SEEDS);
		assertThat(this.changes).isGreaterThan(SEEDS);
	}

	private void play(int seed) throws Exception {
		Random random = new Random(seed);
		List<Actor> actors = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			actors.add(actor(i < 3, random));
		}
		for (int step = 0; step < STEPS; step++) {
			int chosen = random.nextInt(actors.size());
			if (random.nextInt(6) == 0) {
				empty();
			}
			if (!actors.get(chosen).step(random.nextInt(12) == 0)) {
				actors.set(chosen, actor(chosen < 3, random));
			}
			assertThat(this.live.values().stream().distinct().count())
				.as("numbers of shards that were in use at once, seed %d, step %d: %s", seed, step, this.live)
				.isLessThanOrEqualTo(1);
		}
		for (Actor actor : actors) {
			actor.step(true);
		}
	}

	private Actor actor(boolean producer, Random random) {
		Actor actor = new Actor();
		if (producer) {
			actor.begin(() -> produce(actor, new Random(random.nextInt())));
		}
		else {
			int declared = 1 + random.nextInt(4);
			actor.begin(() -> {
				Count count = actor.settle(QUEUE, declared, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
				this.changes += (count.shards() == declared && count.version() > 1) ? 1 : 0;
			});
		}
		return actor;
	}

	private void produce(Actor actor, Random random) {
		Count count = actor.current(QUEUE, 1 + random.nextInt(4));
		for (int i = 0; i < 20; i++) {
			String key = "key" + random.nextInt(8);
			int version = 0;
			do {
				count = (version > 0) ? actor.refresh(QUEUE, version) : count;
				actor.awaitTurn();
				version = push(key, count);
			}
			while (version > 0);
		}
	}

	/**
	 * Push a job in one step, as {@code gather.lua} does: refuse an outdated version,
	 * raise the version of the shard, and store the job.
	 * @return 0 if the job was stored, otherwise the version of the shard
	 */
	private int push(String key, Count count) {
		String shard = QueueRef.ofKey(QUEUE, key, count.shards()).name();
		Object stored = this.redis.template().opsForHash().get(this.redis.key(shard, "meta"), "shards");
		int version = (stored != null) ? Integer.parseInt((String) stored) : 0;
		if (version > count.version()) {
			this.moves++;
			return version;
		}
		this.redis.template()
			.opsForHash()
			.put(this.redis.key(shard, "meta"), "shards", Integer.toString(count.version()));
		this.redis.template().opsForList().leftPush(this.redis.key(shard, "ready"), key);
		this.live.put(key + " in " + shard, count.shards());
		this.pushes++;
		return 0;
	}

	private void empty() {
		for (int i = 0; i < 4; i++) {
			this.redis.template().delete(this.redis.key(new QueueRef(QUEUE, i).name(), "ready"));
		}
		this.live.clear();
	}

	/**
	 * A process that waits for its turn before each call to Redis.
	 */
	private final class Actor extends ShardRegistry {

		private final SynchronousQueue<Boolean> turns = new SynchronousQueue<>();

		/**
		 * Receives true when a call begins to wait for its turn, and false when the work
		 * of the process ends.
		 */
		private final SynchronousQueue<Boolean> signals = new SynchronousQueue<>();

		private Future<?> end;

		private Actor() {
			super(ShardInterleavingIntegrationTests.this.redis.connections(),
					ShardInterleavingIntegrationTests.this.redis.prefix());
		}

		private void begin(Runnable work) {
			this.end = ShardInterleavingIntegrationTests.this.threads.submit(() -> {
				try {
					work.run();
				}
				catch (Death ex) {
					// This is the intended death of the process.
				}
				finally {
					signal(false);
				}
			});
			await(this.signals);
		}

		/**
		 * Let the process take its next step, and wait until it has done so.
		 * @return whether there are further steps
		 */
		private boolean step(boolean dies) throws Exception {
			this.turns.put(!dies);
			boolean goesOn = await(this.signals);
			if (!goesOn) {
				this.end.get(10, TimeUnit.SECONDS);
			}
			return goesOn;
		}

		private void awaitTurn() {
			signal(true);
			if (!await(this.turns)) {
				throw new Death();
			}
		}

		private void signal(boolean goesOn) {
			try {
				this.signals.put(goesOn);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static boolean await(SynchronousQueue<Boolean> queue) {
			try {
				Boolean value = queue.poll(10, TimeUnit.SECONDS);
				assertThat(value).as("signal of the process").isNotNull();
				return value;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		List<Object> ask(ScriptCall call) {
			awaitTurn();
			return super.ask(call);
		}

		@Override
		List<Object> askOnce(ScriptCall call, long deadline) {
			awaitTurn();
			return super.askOnce(call, deadline);
		}

	}

	/**
	 * Simulates the death of a process. The registry must not catch this exception.
	 */
	private static final class Death extends RuntimeException {

	}

}
