package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Isolation}. Jobs 0 to 9 are suspects.
 */
@RedisTest
class IsolationIntegrationTests {

	private final TestRedis redis;

	private final Map<Integer, CountDownLatch> held = new ConcurrentHashMap<>();

	private final List<Integer> running = new CopyOnWriteArrayList<>();

	private final List<Integer> ended = new CopyOnWriteArrayList<>();

	IsolationIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void clear() {
		this.held.values().forEach(CountDownLatch::countDown);
	}

	@Test
	@DisplayName("When a process starts, it runs suspects before any other jobs")
	void suspectWhenAProcessStartsRunsBeforeAllOthers() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(30))) {
			hold(1, 2);
			suspect(worker, 1);
			suspect(worker, 2);
			worker.enqueue("q", 10);
			worker.enqueue("other", 11);
			worker.start();
			awaitRunning(1);
			awaitBeats(5);
			assertThat(this.running).containsExactly(1);
			release(1);
			awaitRunning(2);
			release(2);
			worker.awaitEmpty("q", "other");
			assertThat(this.ended).startsWith(1, 2).containsExactlyInAnyOrder(1, 2, 10, 11);
		}
	}

	@Test
	@DisplayName("For the time of death-after, a starting process runs only suspects, and then other jobs too")
	void suspectWhenItTakesLongAfterAStartKeepsOthersWaitingForAWhile() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(1))) {
			hold(1);
			suspect(worker, 1);
			worker.enqueue("other", 11);
			worker.start();
			worker.awaitEmpty("other");
			assertThat(this.running).containsExactly(1);
			release(1);
			worker.awaitEmpty("q");
		}
	}

	@Test
	@DisplayName("A suspect does not keep idle workers from running jobs while another worker is busy")
	void suspectWhenTheProcessIsBusyWaitsAndKeepsNobodyWaiting() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(1)).start()) {
			hold(10, 1);
			worker.enqueue("other", 10);
			awaitRunning(10);
			suspect(worker, 1);
			for (int number = 11; number < 31; number++) {
				worker.enqueue("q", number);
				awaitBeats(1);
			}
			WorkerFixture.await().until(() -> this.ended.size() == 20);
			assertThat(this.running).containsExactly(10);
			release(10);
			awaitRunning(1);
			worker.enqueue("other", 31);
			awaitBeats(5);
			assertThat(this.running).containsExactly(1);
			release(1);
			worker.awaitEmpty("q", "other");
		}
	}

	@Test
	@DisplayName("If all processes are busy, one of them makes room for a suspect that has waited for ten minutes")
	void suspectWhenItHasWaitedLongMakesABusyProcessStopClaiming() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(30)).start()) {
			hold(10, 1);
			worker.enqueue("other", 10);
			awaitRunning(10);
			suspect(worker, 1, Duration.ofMinutes(11));
			WorkerFixture.await().until(() -> this.redis.template().hasKey(this.redis.prefix() + ":isolating"));
			// The process has the lease a moment before it takes its waiting claims back.
			awaitBeats(2);
			worker.enqueue("q", 11);
			awaitBeats(5);
			assertThat(this.running).containsExactly(10);
			release(10);
			awaitRunning(1);
			awaitBeats(5);
			assertThat(this.running).containsExactly(1);
			release(1);
			worker.awaitEmpty("q", "other");
			assertThat(this.ended).containsExactly(10, 1, 11);
		}
	}

	@Test
	@DisplayName("A process that made room for the time of death-after, but got no suspect, continues, and does not try again immediately")
	void suspectWhenABusyProcessMakesRoomInVainLetsItGoOn() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(1)).start()) {
			hold(10);
			worker.enqueue("other", 10);
			awaitRunning(10);
			suspect(worker, 1, Duration.ofMinutes(11));
			WorkerFixture.await().until(() -> this.redis.template().hasKey(this.redis.prefix() + ":isolating"));
			worker.enqueue("q", 11);
			WorkerFixture.await().until(() -> this.ended.contains(11));
			for (int number = 12; number < 32; number++) {
				awaitBeats(2);
				worker.enqueue("q", number);
				int last = number;
				WorkerFixture.await().until(() -> this.ended.contains(last));
				assertThat(this.redis.template().hasKey(this.redis.prefix() + ":isolating")).isFalse();
			}
			assertThat(this.running).containsExactly(10);
			release(10);
			worker.awaitEmpty("q", "other");
			assertThat(this.ended).endsWith(10, 1);
		}
	}

	@Test
	@DisplayName("A busy process leaves suspects to idle processes")
	void suspectWhenAnotherProcessIsIdleRunsThere() {
		hold(10, 11);
		try (WorkerFixture busy = workers(Duration.ofSeconds(1)).start()) {
			busy.enqueue("other", 10);
			busy.enqueue("other", 11);
			awaitRunning(10, 11);
			try (WorkerFixture idle = workers(Duration.ofSeconds(1)).start()) {
				suspect(busy, 1);
				idle.awaitEmpty("q");
				assertThat(this.ended).containsExactly(1);
				assertThat(this.running).containsExactlyInAnyOrder(10, 11);
				release(10);
				release(11);
				idle.awaitEmpty("other");
			}
		}
	}

	@Test
	@DisplayName("While a suspect runs, claims that were sent along with waits for hints bring no other jobs")
	void suspectWhenClaimsWaitForHintsKeepsOthersWaiting() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(30)).start()) {
			for (int number = 10; number < 13; number++) {
				worker.enqueue("q", number);
				worker.enqueue("other", number + 10);
				worker.awaitEmpty("q", "other");
			}
			hold(1);
			suspect(worker, 1);
			awaitRunning(1);
			worker.enqueue("q", 13);
			worker.enqueue("other", 23);
			awaitBeats(5);
			assertThat(this.running).containsExactly(1);
			release(1);
			worker.awaitEmpty("q", "other");
			assertThat(this.ended.subList(6, 9)).startsWith(1).containsExactlyInAnyOrder(1, 13, 23);
		}
	}

	@Test
	@DisplayName("A queue without heartbeats does not keep suspects of other queues from running")
	void suspectWhenAnotherQueueIsDamagedRuns() {
		try (WorkerFixture worker = workers(Duration.ofSeconds(1))) {
			this.redis.template().opsForValue().set(this.redis.key("other", "beats"), "damaged");
			suspect(worker, 1);
			worker.start();
			worker.awaitEmpty("q");
			assertThat(this.ended).containsExactly(1);
			this.redis.template().delete(this.redis.key("other", "beats"));
		}
	}

	private WorkerFixture workers(Duration deathAfter) {
		return WorkerFixture.on(this.redis)
			.deathAfter(deathAfter)
			.capsule("one", 2, Order.STRICT, new Queue("q", 1))
			.capsule("two", 2, Order.STRICT, new Queue("other", 1))
			.jobs((number, job) -> {
				this.running.add(number);
				CountDownLatch latch = this.held.get(number);
				if (latch != null) {
					latch.await();
				}
				this.running.remove((Integer) number);
				this.ended.add(number);
			})
			.build();
	}

	private void hold(int... numbers) {
		for (int number : numbers) {
			this.held.put(number, new CountDownLatch(1));
		}
	}

	private void release(int number) {
		this.held.get(number).countDown();
	}

	private void awaitRunning(Integer... numbers) {
		WorkerFixture.await().untilAsserted(() -> assertThat(this.running).containsExactlyInAnyOrder(numbers));
	}

	private void awaitBeats(int count) {
		Map<Object, Object> before = this.redis.template().opsForHash().entries(this.redis.key("q", "beats"));
		long first = Long.parseLong(before.values().iterator().next().toString());
		WorkerFixture.await()
			.until(() -> Long.parseLong(
					this.redis.template().opsForHash().values(this.redis.key("q", "beats")).get(0).toString()) >= first
							+ count);
	}

	/**
	 * Put a job among the suspects, where recovery puts a job after two processes have
	 * died while running it.
	 */
	private void suspect(WorkerFixture producer, int number) {
		suspect(producer, number, Duration.ZERO);
	}

	private void suspect(WorkerFixture producer, int number, Duration waited) {
		long crashed = System.currentTimeMillis() - waited.toMillis();
		this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "paused", "1");
		String id = producer.enqueue("q", number);
		this.redis.template().opsForHash().put(this.redis.key("q", "crashes"), id, "2 " + crashed + " p alone");
		this.redis.template()
			.opsForList()
			.rightPopAndLeftPush(this.redis.key("q", "ready"), this.redis.key("q", "suspects"));
		this.redis.template().opsForHash().delete(this.redis.key("q", "meta"), "paused");
	}

}
