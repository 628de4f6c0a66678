package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.ClientOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers whose state in Redis differs from their own: paused, declared dead,
 * outdated, or with a lost answer.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class MembershipIntegrationTests {

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private final RedisConnections connections;

	private final Runs runs = new Runs();

	MembershipIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.connections = this.relay.connections(Duration.ofSeconds(10));
	}

	@Test
	void fetchWhenQueueIsPausedTakesNothingUntilItIsResumed() {
		this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "paused", "1");
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).start()) {
			worker.enqueueAll("q", 0, 3);
			worker.enqueueAll("p", 3, 6);
			worker.awaitEmpty("p");
			// Enqueue a second time, so that the worker has certainly reacted to all
			// earlier tokens.
			worker.enqueueAll("p", 6, 9);
			worker.awaitEmpty("p");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(3, 9));
			assertThat(this.redis.template().opsForList().size(this.redis.key("q", "ready"))).isEqualTo(3);
			this.redis.template().opsForHash().delete(this.redis.key("q", "meta"), "paused");
			this.redis.template().opsForList().leftPush(this.redis.key("q", "wake"), "1");
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(9);
		}
	}

	@Test
	void runWhenProcessWasTakenForDeadSettlesNothingAndGoesOnUnderANewName(CapturedOutput output) {
		Runs held = Runs.held();
		JobContext[] context = new JobContext[1];
		TestJobs.Body body = (number, job) -> {
			if (number == 0) {
				context[0] = job;
				held.runStubbornly(number, job);
			}
			this.runs.run(number, job);
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(body).start()) {
			String id = worker.enqueue("q", 0);
			held.awaitBegun(1);
			assertThat(context[0].isLost()).isFalse();
			// Act as a process that declares the worker's process dead: fence it, and
			// record its job for another process.
			String process = (String) beats().keySet().iterator().next();
			this.redis.template().opsForHash().put(this.redis.key("q", "beats"), process, "FENCED");
			this.redis.template().opsForHash().put(this.redis.key("q", "working"), id, "another.1/default/1");
			WorkerFixture.await().until(() -> context[0].isLost());
			worker.enqueue("q", 1);
			this.runs.awaitEnded(1);
			assertThat(beats().keySet()).anyMatch((name) -> name.toString().endsWith(".2"));
			held.release();
			WorkerFixture.await().until(() -> output.getAll().contains("this end does not count"));
			assertThat(this.redis.template().opsForHash().get(this.redis.key("q", "working"), id))
				.isEqualTo("another.1/default/1");
			assertThat(worker.client().find(id)).isPresent();
			WorkerFixture.await()
				.untilAsserted(
						() -> assertThat(output).containsOnlyOnce("Queues no longer count this process as alive: q."));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(worker.events(WorkerEvent.Refused.class))
					.containsExactly(new WorkerEvent.Refused("q", id)));
			assertThat(worker.events(WorkerEvent.Fenced.class)).hasSize(1);
		}
	}

	@Test
	void runWhenClaimIsOldEnoughForOthersToHaveTakenTheJobDoesNotBegin() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(this.runs).build();
				WorkerFixture worker = WorkerFixture.on(this.redis)
					.connections(this.connections)
					.capsule(1, "q")
					.jobs(this.runs)
					.deathAfter(Duration.ofMillis(250))
					.start()) {
			producer.enqueue("q", 0);
			worker.awaitEmpty("q");
			this.relay.delay(Duration.ofMillis(300));
			producer.enqueue("q", 1);
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().hasKey(this.redis.key("q", "stats"), "unbegun"));
			assertThat(this.runs.begun()).containsExactly(0);
			this.relay.delay(Duration.ZERO);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(0, 1);
		}
	}

	@Test
	void runWhenProcessWasTakenForDeadIsInterrupted() {
		Runs held = Runs.held();
		CountDownLatch interrupted = new CountDownLatch(1);
		TestJobs.Body body = (number, job) -> {
			try {
				held.run(number, job);
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
				throw ex;
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(body).start()) {
			String id = worker.enqueue("q", 0);
			held.awaitBegun(1);
			String process = (String) beats().keySet().iterator().next();
			this.redis.template().opsForHash().put(this.redis.key("q", "beats"), process, "FENCED");
			this.redis.template().opsForHash().put(this.redis.key("q", "working"), id, "another.1/default/1");
			WorkerFixture.await().until(() -> interrupted.getCount() == 0);
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.Refused.class).isEmpty());
			assertThat(this.redis.template().opsForHash().get(this.redis.key("q", "working"), id))
				.isEqualTo("another.1/default/1");
			assertThat(this.redis.contents("q")).doesNotContainKeys("retries", "dead");
		}
	}

	@Test
	void runWhenBeatsAreGoneJoinsAgainAndSettlesWhatItStillHolds() {
		Runs held = Runs.held();
		JobContext[] context = new JobContext[1];
		TestJobs.Body body = (number, job) -> {
			context[0] = job;
			held.runStubbornly(number, job);
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(body).start()) {
			worker.enqueue("q", 0);
			held.awaitBegun(1);
			this.redis.template().delete(this.redis.key("q", "beats"));
			WorkerFixture.await().until(() -> context[0].isLost());
			worker.enqueue("q", 1);
			held.release();
			worker.awaitEmpty("q");
			assertThat(held.ended()).containsExactly(0, 1);
			assertThat(beats().keySet()).anyMatch((name) -> name.toString().endsWith(".2"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "payloads", "working", "claims" })
	void fetchWhenAKeyIsOfAWrongTypeStopsThatQueueAlone(String key, CapturedOutput output) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).build()) {
			worker.enqueue("q", 0);
			this.redis.template().delete(this.redis.key("q", key));
			this.redis.template().opsForValue().set(this.redis.key("q", key), "wrong");
			worker.start();
			WorkerFixture.await()
				.until(() -> output.getAll().contains("No jobs are taken from queue q until it is repaired"));
			worker.enqueueAll("p", 1, 4);
			worker.awaitEmpty("p");
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(1, 2, 3);
			assertThat(output.getAll()).contains(this.redis.key("q", key))
				.doesNotContain("taken from queue p until it is repaired");
		}
	}

	@Test
	void fetchWhenBeatsBecomeOfAWrongTypeServesTheOthersAndGoesOnOnceTheyAreGone(CapturedOutput output) {
		String beats = this.redis.key("q", "beats");
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).start()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			// Replace the value in one step: if the key were missing in between, the
			// process would join again.
			this.redis.template().opsForValue().set(beats, "wrong");
			worker.enqueue("q", 1);
			worker.enqueueAll("p", 2, 5);
			worker.awaitEmpty("p");
			WorkerFixture.await()
				.until(() -> output.getAll().contains("go on: Data in Redis is damaged: '" + beats + "' is a string"));
			assertThat(worker.launcher().isRunning()).isTrue();
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(0, 2, 3, 4);
			this.redis.template().delete(beats);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
		}
	}

	@Test
	void fetchWhenAValueWasWrittenByHandStopsThatQueueAndSaysWhy(CapturedOutput output) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).start()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "schema", "wrong");
			this.redis.template().opsForList().leftPush(this.redis.key("q", "wake"), "1");
			WorkerFixture.await()
				.until(() -> output.getAll()
					.contains("go on: Data in Redis is damaged: a key of queue 'q' holds a value"));
			worker.enqueue("p", 1);
			this.runs.awaitEnded(2);
		}
	}

	@Test
	void fetchWhenQueueIsOfANewerVersionLeavesItAloneAndServesTheOthers(CapturedOutput output) {
		this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "schema", "99");
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).start()) {
			worker.enqueueRaw("q", "0123456789abcdef01234567", "{}");
			worker.enqueueAll("p", 0, 3);
			worker.awaitEmpty("p");
			assertThat(this.runs.ended()).hasSize(3);
			assertThat(this.redis.contents("q").keySet()).doesNotContain("beats", "claims", "working")
				.contains("payloads", "ready");
			WorkerFixture.await().until(() -> output.getAll().contains("has changed the layout of queue q"));
		}
	}

	@Test
	void fetchWhenQueueIsOfANewerVersionLeavesItsTokensToOthers() {
		this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "schema", "99");
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q", "p").jobs(this.runs).start()) {
			worker.enqueueRaw("q", "0123456789abcdef01234567", "{}");
			// After each job, the worker waits again. It must not take the token of the
			// queue with the newer version.
			for (int job = 0; job < 5; job++) {
				worker.enqueue("p", job);
				this.runs.awaitEnded(job + 1);
			}
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.contents("q")).containsEntry("wake", List.of("1")));
			worker.awaitEmpty("p");
			assertThat(this.redis.contents("q")).containsEntry("wake", List.of("1"));
		}
	}

	@Test
	void fetchWhenTheReplyToAClaimIsLostStrandsNoJob() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(this.runs).build();
				WorkerFixture worker = relayed().start()) {
			producer.enqueue("q", 0);
			worker.awaitEmpty("q");
			for (int round = 0; round < 3; round++) {
				// Only claims have the name of the capsule as a separate argument.
				this.relay.loseReplyTo("\r\nlosing\r\n");
				producer.enqueueAll("q", 1 + round * 10, 11 + round * 10);
				int lost = round + 1;
				WorkerFixture.await().until(() -> this.relay.lostReplies() == lost);
				worker.awaitEmpty("q");
			}
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 31));
		}
	}

	@Test
	void fetchWhenTheReplyToAClaimIsLostAndItsJobIsCancelledEndsItWithoutRunning() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(this.runs).build();
				// A heartbeat could report the job. The claim would then be sent again on
				// another connection, and would return the job before it is cancelled.
				WorkerFixture worker = losing(this.connections, this.runs).beat(Duration.ofMinutes(1))
					.deathAfter(Duration.ofMinutes(4))
					.start()) {
			producer.enqueue("q", 0);
			worker.awaitEmpty("q");
			String[] id = new String[1];
			CountDownLatch enqueued = new CountDownLatch(1);
			this.relay.onLostReply(() -> {
				try {
					enqueued.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				producer.client().cancel(id[0]);
			});
			this.relay.loseReplyTo("\r\nlosing\r\n");
			// The next claim is sent along with the next wait.
			WorkerFixture.await().until(this.relay::losesReply);
			id[0] = producer.enqueue("q", 1);
			enqueued.countDown();
			WorkerFixture.await().until(() -> this.relay.lostReplies() == 1);
			producer.enqueue("q", 2);
			worker.awaitEmpty("q");
			assertThat(this.runs.begun()).containsExactly(0, 2);
		}
	}

	@Test
	void fetchWhenTheReplyIsLostAndNobodySendsTheClaimAgainRepeatsIt() {
		LettuceConnectionFactory factory = withoutReconnect();
		RedisConnections connections = new RedisConnections(factory);
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(this.runs).build();
				WorkerFixture worker = relayed(connections, this.runs).start()) {
			producer.enqueue("q", 0);
			worker.awaitEmpty("q");
			this.relay.loseReplyTo("\r\nlosing\r\n");
			producer.enqueueAll("q", 1, 11);
			WorkerFixture.await().until(() -> this.relay.lostReplies() == 1);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 11));
		}
		finally {
			connections.close();
			factory.destroy();
		}
	}

	@Test
	void fetchWhenOnlyTheSecondCopyOfAClaimIsRefusedStrandsNoJob() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(this.runs).build();
				WorkerFixture worker = relayed().start()) {
			producer.enqueue("q", 0);
			worker.awaitEmpty("q");
			// Pause the queue, so that no claim is waiting in Redis for the next job.
			// Otherwise, that claim would be repeated instead.
			this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "paused", "1");
			producer.enqueue("q", 1);
			// The claim is carried out, but its reply is replaced by a refusal.
			this.relay.rewriteReplies("$2\r\nOK\r\n", "-BUSY \r\n");
			this.redis.template().opsForHash().delete(this.redis.key("q", "meta"), "paused");
			this.redis.template().opsForList().leftPush(this.redis.key("q", "wake"), "1");
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().size(this.redis.key("q", "working")) == 1);
			this.relay.rewriteReplies("none", "none");
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(0, 1);
		}
	}

	private LettuceConnectionFactory withoutReconnect() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.relay.host(), this.relay.port()),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().autoReconnect(false).build())
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	@Test
	void runWhenTheReplyToAnAcknowledgementIsLostEndsTheJobOnce(CapturedOutput output) {
		Runs held = Runs.held();
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(held).build();
				WorkerFixture worker = relayed(held).start()) {
			String id = producer.enqueue("q", 0);
			held.awaitBegun(1);
			this.relay.loseReplyTo(settlementOf(id));
			held.release();
			WorkerFixture.await().until(() -> this.relay.lostReplies() == 1);
			worker.awaitEmpty("q");
			producer.enqueue("q", 1);
			worker.awaitEmpty("q");
			assertThat(held.ended()).containsExactly(0, 1);
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("done", "2"));
			assertThat(output).doesNotContain("does not count");
		}
		assertThat(Set.copyOf(this.redis.contents("q").keySet())).isEqualTo(Set.of("calls", "meta", "stats"));
	}

	@Test
	void runWhenTheReplyToARetryIsLostRetriesOnce() {
		Runs held = Runs.held();
		TestJobs.Body body = (number, job) -> {
			held.run(number, job);
			if (job.attempt() == 1) {
				throw new IllegalStateException();
			}
		};
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(held).build();
				WorkerFixture worker = relayed(body).start()) {
			String id = producer.enqueue("q", 0);
			held.awaitBegun(1);
			this.relay.loseReplyTo(settlementOf(id));
			held.release();
			WorkerFixture.await().until(() -> this.relay.lostReplies() == 1);
			worker.awaitEmpty("q");
			assertThat(held.ended()).isEqualTo(List.of(0, 0));
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("failed", "1", "done", "1"));
		}
	}

	/**
	 * Return a text that occurs only in the settlement of a job. Heartbeats contain the
	 * id too, but together with other ids.
	 */
	private static String settlementOf(String id) {
		return "\r\n" + id + "\r\n";
	}

	private WorkerFixture relayed() {
		return relayed(this.connections, this.runs);
	}

	private WorkerFixture relayed(TestJobs.Body body) {
		return relayed(this.connections, body);
	}

	private WorkerFixture relayed(RedisConnections connections, TestJobs.Body body) {
		return losing(connections, body).build();
	}

	private WorkerFixture.Builder losing(RedisConnections connections, TestJobs.Body body) {
		return WorkerFixture.on(this.redis)
			.connections(connections)
			.capsule("losing", 3, Capsule.Order.STRICT, new Capsule.Queue("q", 1))
			.jobs(body);
	}

	private Map<Object, Object> beats() {
		return this.redis.template().opsForHash().entries(this.redis.key("q", "beats"));
	}

}
