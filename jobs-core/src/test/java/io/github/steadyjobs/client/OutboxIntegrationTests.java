package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Buffered;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for jobs that are accepted while Redis is unavailable.
 */
@RedisTest
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OutboxIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final TransactionTemplate transaction = new TransactionTemplate(new MemoryTransactionManager());

	private final Noting noting = new Noting();

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private @Nullable JobClient made;

	OutboxIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
	}

	@AfterEach
	void stop() {
		this.relay.refuse();
		stop(this.made);
		this.redis.clear();
	}

	private static void stop(@Nullable JobClient client) {
		if (client != null) {
			((SmartLifecycle) client).stop();
		}
	}

	/**
	 * Create a client that is connected and has registered its queue.
	 */
	private JobClient client(Duration retryAfterCommit, int buffer, boolean logPayloads) {
		JobClient client = Clients.client(this.relay.connections(Duration.ofSeconds(1)), this.redis.prefix(),
				new Outage(retryAfterCommit, buffer, DataSize.ofMegabytes(10), logPayloads, SHORT), this.noting);
		client.enqueue(JobRequest.named("warm-up"));
		this.noting.accepted.clear();
		this.redis.clear();
		this.made = client;
		return client;
	}

	@Test
	void commitWhenRedisIsAwayStoresAllInTheirOrderOnceItIsBack() {
		JobClient client = client(LONG, 0, true);
		away(client);
		List<String> ids = new ArrayList<>();
		commit(client, ids, "a");
		this.transaction.executeWithoutResult((status) -> {
			client.enqueueAll(requests(1200)).forEach((result) -> ids.add(result.id()));
			ids.add(client.enqueue(JobRequest.named("b")).id());
		});
		commit(client, ids, "c");
		assertThat(client.waiting()).isEqualTo(1203);
		assertThat(this.redis.contents()).isEmpty();
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).isEqualTo(ids);
		assertThat(this.noting.accepted).isEqualTo(ids);
		assertThat(this.noting.lost).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void commitWhenAnswerIsLostStoresNothingTwice(int jobs) {
		JobClient client = client(LONG, 0, true);
		List<String> ids = new ArrayList<>();
		awayAfterNextReply("EVALSHA");
		this.transaction.executeWithoutResult(
				(status) -> client.enqueueAll(requests(jobs)).forEach((result) -> ids.add(result.id())));
		assertThat(this.relay.lostReplies()).isOne();
		assertThat(client.waiting()).isEqualTo(jobs);
		assertThat(ready()).isEqualTo(ids);
		endAll();
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).isEmpty();
		assertThat(this.noting.accepted).isEqualTo(ids);
	}

	@Test
	void commitWhenCallOfAnOrderedJobIsNotAnsweredStoresItsPayloadOnce() {
		JobClient client = client(LONG, 0, true);
		this.transaction.executeWithoutResult((status) -> client.enqueue(JobRequest.named("o", 0).key("k")));
		awayAfterNextReply("secret");
		this.transaction.executeWithoutResult((status) -> client.enqueue(JobRequest.named("o", "secret").key("k")));
		assertThat(this.relay.lostReplies()).isOne();
		assertThat(client.waiting()).isOne();
		this.relay.pass();
		awaitSent(client);
		String stored = this.redis.contents().toString();
		assertThat(stored.split("secret", -1)).hasSize(2);
	}

	@Test
	void commitWhenRedisStaysAwayLogsTheJobWithItsPayloadAndTellsListeners(CapturedOutput output) {
		JobClient client = client(SHORT, 0, true);
		List<String> ids = new ArrayList<>();
		away(client);
		this.transaction
			.executeWithoutResult((status) -> ids.add(client.enqueue(JobRequest.named("a", "what it is for")).id()));
		Awaitility.await().until(() -> !this.noting.lost.isEmpty());
		assertThat(this.noting.lost).containsExactly(ids.get(0) + ": JobStoreUnavailableException");
		assertThat(this.noting.payloads.get(0).arguments().get(0).asString()).isEqualTo("what it is for");
		awaitSent(client);
		assertThat(output).containsPattern("ERROR.*Job a\\[" + ids.get(0) + "\\] of queue default was accepted and is "
				+ "lost: Redis is not reachable .* Enqueue it again. Payload: \\{.*\"args\":\\[\"what it is for\"\\]");
	}

	@Test
	void commitWhenPayloadsAreNotToBeLoggedKeepsThemOut(CapturedOutput output) {
		JobClient client = client(SHORT, 0, false);
		away(client);
		this.transaction.executeWithoutResult((status) -> client.enqueue(JobRequest.named("a", "secret")));
		Awaitility.await().until(() -> !this.noting.lost.isEmpty());
		assertThat(output).contains("'steadyjobs.client.log-payloads' is false").doesNotContain("secret");
	}

	@Test
	void commitWhenCallIsNeverAnsweredSaysThatItMayBeStored(CapturedOutput output) {
		JobClient client = client(SHORT, 0, true);
		List<String> ids = new ArrayList<>();
		awayAfterNextReply("EVALSHA");
		commit(client, ids, "a");
		Awaitility.await().until(() -> !this.noting.lost.isEmpty());
		assertThat(this.noting.lost).containsExactly(ids.get(0) + ": JobStoreTimeoutException");
		assertThat(output).contains("may be stored all the same");
		assertThat(ready()).isEqualTo(ids);
	}

	@Test
	void commitWhenRedisRefusesForGoodThrowsAndLogsThePayload(CapturedOutput output) {
		JobClient client = client(LONG, 0, true);
		this.redis.template().opsForHash().put(this.redis.key("bad", "meta"), "schema", "99");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.transaction
				.executeWithoutResult((status) -> client.enqueue(JobRequest.named("a", "what it is for").queue("bad"))))
			.withMessageStartingWith("The transaction HAS committed");
		assertThat(this.noting.lost).hasSize(1);
		assertThat(output).contains("\"args\":[\"what it is for\"]");
		assertThat(client.waiting()).isZero();
	}

	@Test
	void commitWhenRetriesAreOffThrowsAtOnce() {
		JobClient client = client(Duration.ZERO, 0, true);
		away(client);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> commit(client, new ArrayList<>(), "a"))
			.withMessageStartingWith("The transaction HAS committed")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.UNREACHABLE));
		assertThat(this.noting.lost).hasSize(1);
	}

	@Test
	void commitWhenMoreWaitThanMayThrows() {
		JobClient client = client(LONG, 0, true);
		away(client);
		this.transaction.executeWithoutResult((status) -> client.enqueueAll(requests(Outbox.MOST_COMMITTED)));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> commit(client, new ArrayList<>(), "a"))
			.withMessageStartingWith("The transaction HAS committed");
		assertThat(client.waiting()).isEqualTo(Outbox.MOST_COMMITTED);
		assertThat(this.noting.lost).hasSize(1);
		this.relay.pass();
		awaitSent(client);
	}

	@Test
	void commitWhenBufferIsFullKeepsItsJobForAWhile() {
		JobClient client = client(SHORT, 1, true);
		away(client);
		List<String> ids = new ArrayList<>();
		commit(client, ids, "a");
		commit(client, ids, "b");
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("c")));
		Awaitility.await().until(() -> !this.noting.lost.isEmpty());
		assertThat(this.noting.lost).containsExactly(ids.get(1) + ": JobStoreUnavailableException");
		assertThat(client.waiting()).isOne();
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).containsExactly(ids.get(0));
	}

	@Test
	void commitWhenTheBufferIsLargerHasAllOfItsRoom() {
		JobClient client = client(LONG, Outbox.MOST_COMMITTED + 1, true);
		away(client);
		this.transaction.executeWithoutResult((status) -> client.enqueueAll(requests(Outbox.MOST_COMMITTED)));
		client.enqueue(JobRequest.named("a"));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> commit(client, new ArrayList<>(), "b"))
			.withMessageStartingWith("The transaction HAS committed");
		assertThat(client.waiting()).isEqualTo(Outbox.MOST_COMMITTED + 1);
		this.relay.pass();
		awaitSent(client);
	}

	@Test
	void enqueueWhenThereIsNoBufferThrowsAlthoughOthersWait() {
		JobClient client = client(LONG, 0, true);
		away(client);
		commit(client, new ArrayList<>(), "a");
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("b")));
		assertThat(client.waiting()).isOne();
	}

	@Test
	void enqueueWhenRedisIsAwayBuffersInOrderUntilItIsBack() {
		JobClient client = client(LONG, 10, true);
		List<String> ids = new ArrayList<>();
		ids.add(client.enqueue(JobRequest.named("a")).id());
		away(client);
		EnqueueResult result = client.enqueue(JobRequest.named("b"));
		assertThat(result).isEqualTo(new Buffered(result.id()));
		assertThat(result.accepted()).isTrue();
		assertThat(result.durability()).isNull();
		ids.add(result.id());
		List<EnqueueResult> results = client.enqueueAll(requests(3));
		assertThat(results).allSatisfy((each) -> assertThat(each).isInstanceOf(Buffered.class));
		results.forEach((each) -> ids.add(each.id()));
		commit(client, ids, "c");
		assertThat(client.waiting()).isEqualTo(5);
		this.relay.pass();
		awaitSent(client);
		// This job may have to wait as well, until another connection attempt is made.
		ids.add(client.enqueue(JobRequest.named("d")).id());
		awaitSent(client);
		assertThat(ready()).isEqualTo(ids);
		assertThat(this.noting.accepted).isEqualTo(ids);
	}

	@Test
	void enqueueWhenPayloadsInTheBufferAreLargeThrows() {
		JobClient client = client(LONG, 1000, true);
		away(client);
		String large = "x".repeat(900_000);
		for (int i = 0; i < 11; i++) {
			client.enqueue(JobRequest.named("a", large));
		}
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("b", large)))
			.withMessageContaining("'steadyjobs.client.buffer-size' 10 MB. Nothing was sent.");
		assertThat(client.enqueue(JobRequest.named("c")).accepted()).isTrue();
		assertThat(client.waiting()).isEqualTo(12);
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).hasSize(12);
	}

	@Test
	void enqueueWhenBufferIsFullThrows() {
		JobClient client = client(LONG, 3, true);
		away(client);
		client.enqueueAll(requests(2));
		assertThatExceptionOfType(BulkEnqueueException.class).isThrownBy(() -> client.enqueueAll(requests(2)))
			.satisfies((ex) -> assertThat(ex.outcomes()).containsOnly(BulkEnqueueException.Outcome.NOT_SENT));
		client.enqueue(JobRequest.named("a"));
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("b")))
			.withMessageContaining(
					"'steadyjobs.client.buffer' is 3, and 'steadyjobs.client.buffer-size' 10 MB. Nothing was sent.");
		assertThat(client.waiting()).isEqualTo(3);
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).hasSize(3);
	}

	@Test
	void enqueueWhenAnswerIsLostBuffersAndStoresOnce() {
		JobClient client = client(LONG, 10, true);
		awayAfterNextReply("EVALSHA");
		EnqueueResult result = client.enqueue(JobRequest.named("a"));
		assertThat(result).isInstanceOf(Buffered.class);
		assertThat(ready()).containsExactly(result.id());
		endAll();
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).isEmpty();
		assertThat(this.noting.accepted).containsExactly(result.id());
	}

	@Test
	void enqueueWhenItAsksForAReplicaIsNeverBuffered() {
		JobClient client = client(LONG, 10, true);
		away(client);
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("a").durability(Durability.REPLICATED)));
		assertThat(client.waiting()).isZero();
	}

	@Test
	void enqueueWhenRedisRefusesIsNotBuffered() {
		JobClient client = client(LONG, 10, true);
		this.redis.template().opsForHash().put(this.redis.key("bad", "meta"), "schema", "99");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("a").queue("bad")));
		assertThat(client.waiting()).isZero();
		assertThat(this.noting.refused).hasSize(1);
	}

	@Test
	void enqueueWhenIdempotentIsFoundToBeADuplicateOnceRedisIsBack() {
		JobClient client = client(LONG, 10, true);
		JobRequest once = JobRequest.named("a", 1).idempotent(Idempotence.untilExecuted());
		EnqueueResult first = client.enqueue(once);
		away(client);
		assertThat(client.enqueue(once)).isInstanceOf(Buffered.class);
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).containsExactly(first.id());
		assertThat(this.noting.duplicates).containsExactly(first.id());
	}

	@Test
	void bufferedJobOfABadQueueDoesNotHoldUpOthers() {
		JobClient client = client(LONG, 10, true);
		this.redis.template().opsForHash().put(this.redis.key("bad", "meta"), "schema", "99");
		away(client);
		EnqueueResult bad = client.enqueue(JobRequest.named("a").queue("bad"));
		EnqueueResult good = client.enqueue(JobRequest.named("b"));
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).containsExactly(good.id());
		assertThat(this.noting.lost).containsExactly(bad.id() + ": JobStoreException");
	}

	@Test
	void stopWhenRedisStaysAwayLogsWhatIsLost(CapturedOutput output) {
		JobClient client = client(LONG, 10, true);
		away(client);
		EnqueueResult result = client.enqueue(JobRequest.named("a", "what it is for"));
		stop(client);
		assertThat(client.waiting()).isZero();
		assertThat(this.noting.lost).containsExactly(result.id() + ": JobStoreUnavailableException");
		assertThat(output).contains("the application stopped before Redis took it")
			.contains("\"args\":[\"what it is for\"]");
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> client.enqueue(JobRequest.named("b")));
		((SmartLifecycle) client).start();
		assertThat(client.enqueue(JobRequest.named("b"))).isInstanceOf(Buffered.class);
	}

	@Test
	void stopWhenRedisIsBackSendsWhatWaits() {
		JobClient client = client(LONG, 2000, true);
		away(client);
		List<String> ids = client.enqueueAll(requests(1500)).stream().map(EnqueueResult::id).toList();
		this.relay.pass();
		stop(client);
		assertThat(ready()).isEqualTo(ids);
		assertThat(this.noting.lost).isEmpty();
	}

	@Test
	void enqueueWhenRepliesGetLostAllTheTimeStoresEachJobOnce() {
		JobClient client = client(LONG, 10_000, true);
		List<String> ids = new ArrayList<>();
		this.relay.loseReplies(3);
		for (int i = 0; i < 150; i++) {
			if (i % 2 == 0) {
				ids.add(client.enqueue(JobRequest.named("a", i)).id());
			}
			else {
				commit(client, ids, "b");
			}
			if (i % 40 == 0) {
				this.relay.refuse();
				ids.add(client.enqueue(JobRequest.named("c", i)).id());
				this.relay.pass();
				this.relay.loseReplies(3);
			}
		}
		this.relay.pass();
		awaitSent(client);
		assertThat(ready()).containsExactlyInAnyOrderElementsOf(ids).doesNotHaveDuplicates();
		assertThat(this.noting.accepted).containsExactlyInAnyOrderElementsOf(ids);
		assertThat(this.noting.lost).isEmpty();
	}

	@Test
	@DisplayName("SK-64: each job of a bulk push has its own time, and a repeated call stores no job twice")
	void enqueueAllWhenJobsAreSpreadAndRepliesGetLostSchedulesEachOnceAtItsTime() {
		JobClient client = client(LONG, 0, true);
		this.relay.loseReplyTo("EVALSHA");
		long before = System.currentTimeMillis();
		List<EnqueueResult> results = client.enqueueAll(JobRequest.spread(requests(1001), Duration.ofSeconds(1001)));
		assertThat(this.relay.lostReplies()).isOne();
		Map<Object, Object> scheduled = Map.copyOf((Map<?, ?>) this.redis.contents("default").get("scheduled"));
		assertThat(scheduled).hasSize(1000);
		assertThat(ready()).containsExactly(results.get(0).id());
		for (int i = 1; i <= 1000; i++) {
			double due = (Double) scheduled.get(results.get(i).id());
			assertThat(due - before).isBetween(i * 1000.0 - 100, i * 1000.0 + 30_000);
		}
	}

	private void commit(JobClient client, List<String> ids, String name) {
		this.transaction.executeWithoutResult((status) -> {
			EnqueueResult result = client.enqueue(JobRequest.named(name));
			assertThat(result).isInstanceOf(Deferred.class);
			ids.add(result.id());
		});
	}

	private static List<JobRequest> requests(int count) {
		return IntStream.range(0, count).mapToObj((i) -> JobRequest.named("bulk", i)).toList();
	}

	/**
	 * Make Redis unavailable, and wait until the client has noticed this and sends
	 * nothing more.
	 */
	private void away(JobClient client) {
		this.relay.refuse();
		Awaitility.await().until(() -> {
			try {
				client.find("000000000000000000000000");
				return false;
			}
			catch (JobStoreException ex) {
				return ex.reason() == Reason.UNREACHABLE;
			}
		});
	}

	/**
	 * Let Redis carry out the next call that contains the given text, but make Redis
	 * unavailable before the answer arrives.
	 */
	private void awayAfterNextReply(String text) {
		this.relay.onLostReply(this.relay::refuse);
		this.relay.loseReplyTo(text);
	}

	/**
	 * Remove the jobs, as if workers had run them.
	 */
	private void endAll() {
		this.redis.template()
			.unlink(List.of(this.redis.key("default", "ready"), this.redis.key("default", "payloads")));
	}

	private void awaitSent(JobClient client) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> client.waiting() == 0);
	}

	/**
	 * Return the ids of the ready jobs, the oldest first.
	 */
	private List<String> ready() {
		List<String> ids = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key("default", "ready"), 0, -1));
		Collections.reverse(ids);
		return ids;
	}

	private static final class Noting implements EnqueueListener {

		private final List<String> accepted = new CopyOnWriteArrayList<>();

		private final List<String> duplicates = new CopyOnWriteArrayList<>();

		private final List<String> refused = new CopyOnWriteArrayList<>();

		private final List<String> lost = new CopyOnWriteArrayList<>();

		private final List<JobPayload> payloads = new CopyOnWriteArrayList<>();

		@Override
		public void accepted(Requested job, EnqueueResult result, Overlap overlap) {
			this.accepted.add(job.id());
		}

		@Override
		public void duplicate(Requested job, EnqueueResult.Duplicate result) {
			this.duplicates.add(result.id());
		}

		@Override
		public void refused(Requested job, @Nullable Throwable reason) {
			this.refused.add(job.id());
		}

		@Override
		public void lost(Requested job, JobPayload payload, JobStoreException reason) {
			assertThat(payload.id()).isEqualTo(job.id());
			this.payloads.add(payload);
			this.lost.add(job.id() + ": " + reason.getClass().getSimpleName());
			assertThat(reason instanceof JobStoreTimeoutException).isEqualTo(reason.reason() == Reason.UNANSWERED);
		}

	}

}
