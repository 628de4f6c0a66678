package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.Reasons;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for ordered jobs, from the client to the end of their runs.
 */
@RedisAndClusterTest
class OrderedJobsIntegrationTests {

	private final TestRedis redis;

	private final Orders orders = new Orders();

	private final WorkerFixture worker;

	OrderedJobsIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.worker = WorkerFixture.on(redis)
			.capsule("main", 8, Order.WEIGHTED, Queue.inParts("one", 1, 2, 1), Queue.inParts("list", 1, 2, 1),
					Queue.inParts("map", 1, 1, 3))
			.bean(this.orders)
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(1)))
			.shutdownTimeout(Duration.ofMillis(100))
			.build();
	}

	@AfterEach
	void stop() {
		this.orders.gate.countDown();
		this.worker.close();
	}

	@Test
	@DisplayName("LK-07: payloads of a key accumulate and run together, the smallest score first")
	void runWhenPayloadsGatheredTakesThemInOrder() {
		assertThat(enqueue("one", "a", 3)).isInstanceOf(EnqueueResult.Enqueued.class);
		assertThat(enqueue("one", "a", 1)).isInstanceOf(EnqueueResult.Merged.class);
		EnqueueResult last = enqueue("one", "a", 2);
		assertThat(last).isInstanceOf(EnqueueResult.Merged.class);
		assertThat(this.worker.client().find(last.id())).hasValueSatisfying((job) -> {
			assertThat(job.key()).isEqualTo("a");
			assertThat(job.name()).isEqualTo("one");
		});
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 1", "one a 2", "one a 3");
		assertThat(this.orders.contexts).extracting(JobContext::key).containsOnly("a");
		assertThat(this.orders.contexts).extracting(JobContext::queue).containsOnly("one");
		assertThat(this.orders.contexts).extracting(JobContext::id).containsOnly(last.id());
	}

	@Test
	void runWhenMethodTakesListGetsAllAtOnce() {
		enqueue("list", "a", 2);
		enqueue("list", "a", 1);
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("list [1, 2]");
	}

	@Test
	@DisplayName("LK-27: a batch receives a map of several keys and their payloads")
	void runWhenMethodTakesMapGetsSeveralKeys() {
		for (String key : List.of("a", "b", "c", "d")) {
			enqueue("map", key, 2);
			enqueue("map", key, 1);
		}
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactlyInAnyOrder("map {a=[1, 2], b=[1, 2], c=[1, 2]}", "map {d=[1, 2]}");
	}

	@Test
	@DisplayName("LK-13, LK-14: the failed payload and later payloads run again, but completed payloads do not")
	void runWhenPayloadFailsRepeatsItAndThoseBehindIt() {
		this.orders.fail("a", 2, 2);
		IntStream.rangeClosed(1, 3).forEach((version) -> enqueue("one", "a", version));
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 1", "one a 2 failed", "one a 2 failed", "one a 2",
				"one a 3");
		assertThat(this.orders.contexts).hasSize(5);
		assertThat(this.orders.attempts).containsExactly(1, 1, 2, 3, 1);
	}

	@Test
	@DisplayName("LK-15, LK-22, LK-23: the payload with the smallest score dies, the hook is called, and the other payloads start afresh")
	void runWhenRetriesAreExhaustedBuriesOnePayload() {
		this.orders.fail("a", 1, 100);
		this.orders.fail("a", 2, 1);
		IntStream.rangeClosed(1, 2).forEach((version) -> enqueue("one", "a", version));
		start();
		WorkerFixture.await().untilAsserted(() -> assertThat(this.orders.exhausted).hasSize(1));
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran).containsExactly("one a 1 failed", "one a 1 failed", "one a 1 failed",
				"one a 2 failed", "one a 2");
		assertThat(this.orders.exhausted).containsExactly("a 1 planned");
		JobPayload dead = dead("one", "a").get(0);
		assertThat(dead.key()).isEqualTo("a");
		assertThat(dead.arguments().get(0).get("version").intValue()).isEqualTo(1);
		assertThat(dead.field("score").asString()).isEqualTo("1");
		assertThat(dead.errorMessage()).isEqualTo("planned");
		assertThat(dead.attempts()).isEqualTo(3);
	}

	@Test
	void runWhenPayloadsDieEachTakesItsOwnFailuresAlong() {
		this.orders.fail("a", 1, 1);
		this.orders.fail("a", 2, 100);
		this.orders.fail("a", 3, 100);
		IntStream.rangeClosed(1, 4).forEach((version) -> enqueue("one", "a", version));
		start();
		awaitEmpty("dead", "payloads");
		assertThat(dead("one", "a")).hasSize(2).allSatisfy((dead) -> {
			assertThat(dead.attempts()).isEqualTo(3);
			assertThat(dead.failures()).hasSize(3).allSatisfy((failure) -> {
				assertThat(failure.message()).isEqualTo("planned");
				assertThat(failure.time()).isBetween(dead.failedAt().minusMillis(1), dead.retriedAt().plusMillis(1));
			});
		});
	}

	@Test
	void runWhenListIsExhaustedBuriesTheSmallestScore() {
		this.orders.fail("a", 5, 3);
		enqueue("list", "a", 5);
		enqueue("list", "a", 4);
		start();
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran).containsExactly("list [4, 5] failed", "list [4, 5] failed", "list [4, 5] failed",
				"list [5]");
		assertThat(dead("list", "a")).singleElement()
			.satisfies((job) -> assertThat(job.arguments().get(0).get("version").intValue()).isEqualTo(4));
	}

	@Test
	void runWhenBatchFailsRepeatsAllKeysOfIt() {
		this.orders.fail("b", 1, 1);
		List.of("a", "b", "c").forEach((key) -> enqueue("map", key, 1));
		start();
		awaitEmpty();
		assertThat(this.orders.ran.get(0)).isEqualTo("map {a=[1], b=[1], c=[1]} failed");
		assertThat(this.orders.ran.subList(1, this.orders.ran.size())).allMatch((ran) -> !ran.contains("failed"));
	}

	@Test
	void runWhenOneOfABatchDoesNotFitParksItAndRunsTheOthersTogether() {
		EnqueueResult misfit = enqueue("map", "a", 1);
		List.of("b", "c").forEach((key) -> enqueue("map", key, 1));
		append("map", "a", misfit, "3 [7]");
		start();
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(this.redis.contents(shard("map", "a"))).containsKey("parked")
				.doesNotContainKey("working"));
		assertThat(this.orders.ran).containsExactly("map {b=[1], c=[1]}");
		assertThat(this.worker.client().find(misfit.id())).isPresent();
	}

	@Test
	void runWhenPayloadOfABatchIsNoJsonBuriesItAndRunsTheOthersTogether() {
		EnqueueResult broken = enqueue("map", "a", 1);
		List.of("b", "c").forEach((key) -> enqueue("map", key, 1));
		append("map", "a", broken, "3 [{]");
		start();
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran).containsExactlyInAnyOrder("map {b=[1], c=[1]}", "map {a=[1]}");
		assertThat(dead("map", "a")).hasSize(1);
	}

	/**
	 * Append a line to the stored payloads of a key.
	 */
	private void append(String queue, String key, EnqueueResult job, String line) {
		String payloads = this.redis.key(shard(queue, key), "payloads");
		Object stored = this.redis.template().opsForHash().get(payloads, job.id());
		this.redis.template().opsForHash().put(payloads, job.id(), stored + line + "\n");
	}

	@Test
	void runWhenPayloadIsDiscardedGoesOnWithTheOthers() {
		this.orders.discarded.put("a", 1);
		enqueue("one", "a", 1);
		enqueue("one", "a", 2);
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 2");
	}

	@Test
	@DisplayName("LK-01, LK-06: a key never runs twice at the same time, and its payloads run in order, whichever workers take the key")
	void runWhenManyWorkersAreFreeKeepsTheOrderOfEachKey() {
		start();
		for (int version = 1; version <= 60; version++) {
			for (String key : List.of("a", "b", "c")) {
				enqueue("one", key, version);
			}
		}
		awaitEmpty();
		for (String key : List.of("a", "b", "c")) {
			assertThat(this.orders.ran.stream().filter((ran) -> ran.startsWith("one " + key)))
				.containsExactlyElementsOf(
						IntStream.rangeClosed(1, 60).mapToObj((n) -> "one " + key + " " + n).toList());
		}
		assertThat(this.orders.mostAtOnce).hasValue(1);
	}

	@Test
	void runWhenOneKeyTakesLongDoesNotKeepOthersWaiting() throws Exception {
		this.orders.waiting = "a";
		start();
		enqueue("one", "a", 1);
		assertThat(this.orders.begun.await(20, TimeUnit.SECONDS)).isTrue();
		for (int number = 0; number < 100; number++) {
			enqueue("one", "a", 2 + number);
			enqueue("one", "b" + number, 1);
		}
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(this.orders.ran).hasSize(100).allMatch((ran) -> ran.startsWith("one b")));
		this.orders.waiting = "";
		this.orders.gate.countDown();
		awaitEmpty();
		assertThat(this.orders.ran).hasSize(201);
	}

	@Test
	void enqueueWhenKeyRunsIsForTheNextRun() throws Exception {
		this.orders.waiting = "a";
		start();
		enqueue("one", "a", 2);
		assertThat(this.orders.begun.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(enqueue("one", "a", 1)).isInstanceOf(EnqueueResult.Merged.class);
		this.orders.gate.countDown();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 2", "one a 1");
	}

	@Test
	@DisplayName("LK-40: a shutdown first interrupts an ordered job, and puts it back once its method has returned")
	void stopWhenOrderedJobRunsGivesItBackAfterItsReturn() throws Exception {
		this.orders.waiting = "a";
		start();
		IntStream.rangeClosed(1, 2).forEach((version) -> enqueue("one", "a", version));
		assertThat(this.orders.begun.await(20, TimeUnit.SECONDS)).isTrue();
		enqueue("one", "a", 3);
		this.worker.launcher().stop();
		assertThat(this.orders.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.redis.contents(shard("one", "a"))).doesNotContainKeys("working", "gathered", "retries");
		this.orders.waiting = "";
		this.worker.launcher().start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 1", "one a 2", "one a 3");
	}

	@Test
	void stopWhenOrderedJobDoesNotReturnLeavesItToRecovery() throws Exception {
		this.orders.waiting = "a";
		this.orders.stubborn = true;
		start();
		enqueue("one", "a", 1);
		assertThat(this.orders.begun.await(20, TimeUnit.SECONDS)).isTrue();
		this.worker.launcher().stop();
		assertThat(this.redis.contents(shard("one", "a"))).containsKeys("working", "beats");
		this.orders.gate.countDown();
	}

	@Test
	void runWhenPayloadIsNoJsonBuriesItAndGoesOn() {
		EnqueueResult job = enqueue("one", "a", 2);
		append("one", "a", job, "3 [{]");
		start();
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran).containsExactly("one a 2");
		assertThat(dead("one", "a")).singleElement().satisfies((dead) -> {
			assertThat(dead.field("unreadable").stringValue()).isEqualTo("[{]");
			assertThat(dead.errorMessage()).contains("not JSON");
		});
	}

	@Test
	@DisplayName("LK-04, LK-28: one call enqueues many payloads with keys, scores and times")
	void enqueueAllStoresEachForItsKey() {
		List<EnqueueResult> results = this.worker.client()
			.enqueueAll(Stream.of("a", "b", "a", "c", "a").map((key) -> request("one", key, 1)).toList());
		assertThat(results).extracting(Object::getClass)
			.<Object>map((type) -> ((Class<?>) type).getSimpleName())
			.containsExactly("Enqueued", "Enqueued", "Merged", "Enqueued", "Merged");
		assertThat(results).extracting(EnqueueResult::id)
			.satisfies((ids) -> assertThat(ids.get(0)).isEqualTo(ids.get(2)));
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactlyInAnyOrder("one a 1", "one b 1", "one c 1");
	}

	@Test
	@DisplayName("LK-28: each of many payloads has its own key, score and time")
	void enqueueAllTakesKeyScoreAndTimeOfEach() {
		List<EnqueueResult> results = this.worker.client()
			.enqueueAll(List.of(JobRequest.named("one", new Update("x", 9)).key("a").score(2),
					JobRequest.named("one", new Update("y", 9)).key("a").score(1),
					JobRequest.named("one", new Update("z", 9)).key("b").score(3).after(Duration.ofHours(1))));
		start();
		WorkerFixture.await().until(() -> this.orders.ran.size() == 2);
		assertThat(this.orders.ran).containsExactly("one y 9", "one x 9");
		JobPayload later = this.worker.client().find(results.get(2).id()).orElseThrow();
		assertThat(later.key()).isEqualTo("b");
		assertThat(later.at()).isBetween(Instant.now().plus(Duration.ofMinutes(59)),
				Instant.now().plus(Duration.ofMinutes(61)));
	}

	@Test
	void enqueueWhenKeyIsFullIsRefused() {
		JobClient client = JobClientFactory.create(new JobStore(this.redis.connections(), this.redis.prefix(), 10),
				new PayloadCodec(WorkerFixture.JSON), this.worker.registry(), List.of(), List.of(),
				JobClientSettings.DEFAULTS);
		client.enqueueAll(requests("one", 0, 10));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> client.enqueue(request("one", "a", 10)))
			.satisfies(Reasons.reason(JobStoreException.Reason.KEY_FULL))
			.withMessageContaining("steadyjobs.sequential.limit");
		assertThatExceptionOfType(BulkEnqueueException.class)
			.isThrownBy(() -> client
				.enqueueAll(List.of(request("one", "b", 1), request("one", "a", 10), request("one", "c", 1))))
			.satisfies((ex) -> assertThat(ex.outcomes()).containsExactly(BulkEnqueueException.Outcome.ANSWERED,
					BulkEnqueueException.Outcome.REFUSED, BulkEnqueueException.Outcome.ANSWERED));
	}

	@Test
	void enqueueWhenKeyIsFullStoresTheJobsOfOtherQueues() {
		JobClient client = JobClientFactory.create(new JobStore(this.redis.connections(), this.redis.prefix(), 10),
				new PayloadCodec(WorkerFixture.JSON), this.worker.registry(), List.of(), List.of(),
				JobClientSettings.DEFAULTS);
		client.enqueueAll(requests("one", 0, 10));
		assertThatExceptionOfType(BulkEnqueueException.class)
			.isThrownBy(() -> client.enqueueAll(List.of(request("one", "a", 10), request("list", "b", 1))))
			.satisfies(Reasons.reason(JobStoreException.Reason.KEY_FULL))
			.satisfies((ex) -> assertThat(ex.outcomes()).containsExactly(BulkEnqueueException.Outcome.REFUSED,
					BulkEnqueueException.Outcome.ANSWERED));
	}

	@Test
	void runWhenJobWasRenamedTakesEachKeyOnceInACall() {
		enqueue("map", "a", 1);
		JobRegistry without = new JobRegistry(new DefaultListableBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD,
				WorkerFixture.JSON);
		JobClientFactory
			.create(new JobStore(this.redis.connections(), this.redis.prefix()), new PayloadCodec(WorkerFixture.JSON),
					without, List.of(), List.of(), JobClientSettings.DEFAULTS)
			.enqueue(request("former.map", "a", 2).key("a").queue("map"));
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactlyInAnyOrder("map {a=[1]}", "map {a=[2]}");
	}

	@Test
	void runWhenKeyIsHotTakesAThousandAtOnceAndRepeatsOnlyThese() {
		this.worker.client().enqueueAll(requests("list", 0, 2500));
		this.orders.fail("a", 1500, 1);
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("list " + versions(0, 1000),
				"list " + versions(1000, 2000) + " failed", "list " + versions(1000, 2000),
				"list " + versions(2000, 2500));
	}

	@Test
	void runWhenPayloadOfAHotKeyDiesRunsTheOthersInOrder() {
		this.worker.client().enqueueAll(requests("one", 0, 1200));
		this.orders.fail("a", 600, 100);
		start();
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran.stream().filter((run) -> !run.endsWith("failed")))
			.containsExactlyElementsOf(versions(0, 1200).stream()
				.filter((version) -> version != 600)
				.map((version) -> "one a " + version)
				.toList());
		assertThat(dead("one", "a")).extracting(JobPayload::key).containsExactly("a");
	}

	private static List<JobRequest> requests(String job, int from, int to) {
		return versions(from, to).stream().map((version) -> request(job, "a", version)).toList();
	}

	private static List<Integer> versions(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

	@Test
	void cancelWhenKeyWaitsDropsAllItsPayloads() {
		String id = enqueue("one", "a", 1).id();
		enqueue("one", "a", 2);
		assertThat(this.worker.client().cancel(id)).isTrue();
		enqueue("one", "a", 3);
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 3");
	}

	@Test
	void enqueueByNameTakesKeyAndScoreOfTheRequest() {
		this.worker.client().enqueue(JobRequest.named("one", new Update("x", 9)).key("a").score(2));
		this.worker.client().enqueue(JobRequest.named("one", new Update("y", 9)).key("a").score(1));
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one y 9", "one x 9");
	}

	@Test
	@DisplayName("LK-23: the hook of a batch receives all payloads that have died with it")
	void runWhenBatchIsExhaustedTellsTheHookOnce() {
		this.orders.fail("b", 1, 1);
		this.orders.kills = true;
		List.of("a", "b").forEach((key) -> enqueue("map", key, 1));
		start();
		WorkerFixture.await().untilAsserted(() -> assertThat(this.orders.exhausted).hasSize(1));
		assertThat(this.orders.exhausted).containsExactly("[a, b] planned");
	}

	@Test
	void runWhenMapperIndentsKeepsPayloadsBehindAFailure() {
		this.orders.fail("a", 2, 1);
		JsonMapper indenting = WorkerFixture.JSON.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("main", 2, Order.WEIGHTED, Queue.inParts("one", 1, 2, 1))
			.bean(this.orders)
			.json(indenting)
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(1)))
			.build()) {
			IntStream.rangeClosed(1, 3).forEach((version) -> enqueue("one", "a", version));
			worker.start();
			awaitEmpty();
			assertThat(this.orders.ran).containsExactly("one a 1", "one a 2 failed", "one a 2", "one a 3");
		}
	}

	@Test
	void runWhenInterceptorSwallowsAFailureRunsThePayloadsBehindIt() {
		this.orders.fail("a", 2, 1);
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("main", 2, Order.WEIGHTED, Queue.inParts("one", 1, 2, 1))
			.bean(this.orders)
			.interceptor((job, chain) -> {
				try {
					chain.proceed();
				}
				catch (IllegalStateException ex) {
					// The failure is swallowed.
				}
			})
			.build()) {
			IntStream.rangeClosed(1, 3).forEach((version) -> enqueue("one", "a", version));
			worker.start();
			awaitEmpty();
		}
		assertThat(this.orders.ran).containsExactly("one a 1", "one a 2 failed", "one a 2", "one a 3");
	}

	@Test
	void enqueueWhenJobIsElsewhereFindsItsQueueByItsName() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "other").build()) {
			producer.client().enqueue(JobRequest.named("one", new Update("a", 2)).key("a").score(2));
			producer.client().enqueue(JobRequest.named("one", new Update("a", 1)).key("a").score(1));
		}
		start();
		awaitEmpty();
		assertThat(this.orders.ran).containsExactly("one a 1", "one a 2");
	}

	@Test
	void runWhenPayloadDoesNotFitRunsThoseBeforeItAndParksTheOthers() {
		this.worker.client().enqueue(JobRequest.named("one", new Update("a", 1)).key("a").score(1));
		Object stored = stored("a");
		store("a", stored + "2 [\"text\"]\n");
		start();
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(this.redis.contents(shard("one", "a"))).containsKey("parked"));
		enqueue("one", "a", 3);
		// When a worker starts, it retries parked jobs once, so this job may be running.
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(stored("a").toString())
				.endsWith("\n2 [\"text\"]\n" + "3 [{\"key\":\"a\",\"version\":3}]\n"));
		assertThat(this.orders.ran).containsExactly("one a 1");
	}

	@Test
	void runWhenNobodyCanReadTheJobBuriesItAndTheKeyGoesOn() {
		enqueue("one", "a", 1);
		store("a", "{damaged");
		start();
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(this.redis.contents(shard("one", "a"))).containsKey("dead"));
		enqueue("one", "a", 2);
		awaitEmpty("dead", "payloads");
		assertThat(this.orders.ran).containsExactly("one a 2");
		assertThat(this.redis.template().opsForHash().values(this.redis.key(shard("one", "a"), "payloads")))
			.containsExactly("{damaged");
	}

	private Object stored(String key) {
		return this.redis.template()
			.opsForHash()
			.get(this.redis.key(shard("one", key), "payloads"), JobIds.ofKey("one", key));
	}

	private void store(String key, String payload) {
		this.redis.template()
			.opsForHash()
			.put(this.redis.key(shard("one", key), "payloads"), JobIds.ofKey("one", key), payload);
	}

	@Test
	void runWhenJobWasEnqueuedWithoutKeyParksIt() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "other").build();
				WorkerFixture plain = WorkerFixture.on(this.redis).capsule(1, "plain").bean(this.orders).start()) {
			producer.client().enqueue(JobRequest.named("one", new Update("a", 2)).queue("plain"));
			WorkerFixture.await().untilAsserted(() -> assertThat(this.redis.contents("plain")).containsKey("parked"));
			assertThat(this.orders.ran).isEmpty();
		}
	}

	private void start() {
		this.worker.start();
	}

	private EnqueueResult enqueue(String job, String key, int version) {
		return this.worker.client().enqueue(request(job, key, version));
	}

	private static JobRequest request(String job, String key, int version) {
		return JobRequest.named(job, new Update(key, version));
	}

	private static String shard(String queue, String key) {
		return QueueRef.ofKey(queue, key, queue.equals("map") ? 1 : 2).name();
	}

	private List<JobPayload> dead(String queue, String key) {
		String shard = shard(queue, key);
		List<JobPayload> dead = new ArrayList<>();
		for (String id : this.redis.template().opsForZSet().range(this.redis.key(shard, "dead"), 0, -1)) {
			dead.add(this.worker.client().find(id).orElseThrow());
		}
		return dead;
	}

	private void awaitEmpty(String... but) {
		WorkerFixture.await().untilAsserted(() -> {
			for (String part : List.of("one#0", "one#1", "list#0", "list#1", "map#0")) {
				Map<String, Object> contents = new TreeMap<>(this.redis.contents(part));
				List.of(but).forEach(contents::remove);
				assertThat(contents.keySet()).isSubsetOf("beats", "calls", "claims", "meta", "stats", "wake");
			}
		});
	}

	record Update(String key, int version) {

	}

	static class Orders {

		final List<String> ran = new CopyOnWriteArrayList<>();

		final List<JobContext> contexts = new CopyOnWriteArrayList<>();

		final List<Integer> attempts = new CopyOnWriteArrayList<>();

		final List<String> exhausted = new CopyOnWriteArrayList<>();

		final Map<String, Integer> discarded = new ConcurrentHashMap<>();

		final AtomicInteger mostAtOnce = new AtomicInteger();

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch gate = new CountDownLatch(1);

		final CountDownLatch interrupted = new CountDownLatch(1);

		volatile String waiting = "";

		volatile boolean stubborn;

		volatile boolean kills;

		private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

		void fail(String key, int version, int times) {
			this.failures.put(key + version, new AtomicInteger(times));
		}

		@Job(name = "one")
		@Sequential(key = "#update.key", score = "#update.version", shards = 2, retries = 2)
		public void one(Update update, JobContext context) throws InterruptedException {
			AtomicInteger running = this.running.computeIfAbsent(update.key(), (key) -> new AtomicInteger());
			this.mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
			try {
				this.contexts.add(context);
				this.attempts.add(context.attempt());
				if (Integer.valueOf(update.version()).equals(this.discarded.get(update.key()))) {
					throw new DiscardJobException("planned");
				}
				if (update.key().equals(this.waiting)) {
					this.begun.countDown();
					await();
				}
				check("one " + update.key() + " " + update.version(), List.of(update));
			}
			finally {
				running.decrementAndGet();
			}
		}

		private void await() throws InterruptedException {
			while (true) {
				try {
					this.gate.await();
					return;
				}
				catch (InterruptedException ex) {
					this.interrupted.countDown();
					if (!this.stubborn) {
						throw ex;
					}
				}
			}
		}

		@RetriesExhausted("one")
		public void exhausted(Update update, JobPayload job, Throwable failure) {
			this.exhausted.add(update.key() + " " + update.version() + " " + failure.getMessage());
		}

		@Job(name = "list")
		@Sequential(key = "#payload.key", score = "#payload.version", shards = 2, retries = 2)
		public void list(List<Update> updates) {
			check("list " + updates.stream().map(Update::version).toList(), updates);
		}

		@Job(name = "map", aliases = "former.map")
		@Sequential(key = "#payload.key", score = "#payload.version", shards = 1, batchSize = 3, retries = 1)
		public void map(Map<String, List<Update>> updates) {
			Map<String, List<Integer>> versions = new TreeMap<>();
			updates.forEach((key, some) -> versions.put(key, some.stream().map(Update::version).toList()));
			check("map " + versions, updates.values().stream().flatMap(List::stream).toList());
		}

		@RetriesExhausted("map")
		public void exhausted(List<JobPayload> payloads, Throwable failure) {
			this.exhausted.add(payloads.stream().map(JobPayload::key).sorted().toList() + " " + failure.getMessage());
		}

		private void check(String what, List<Update> updates) {
			for (Update update : updates) {
				AtomicInteger left = this.failures.get(update.key() + update.version());
				if (left != null && left.getAndDecrement() > 0) {
					this.ran.add(what + " failed");
					throw this.kills ? new KillJobException("planned") : new IllegalStateException("planned");
				}
			}
			this.ran.add(what);
		}

	}

}
