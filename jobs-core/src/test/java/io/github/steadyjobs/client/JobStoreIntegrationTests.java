package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.ConnectionPeek;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobStore}, with and without disturbances.
 */
@RedisTest
class JobStoreIntegrationTests {

	private final TestRedis redis;

	private final ScriptFixture queue;

	private final String name;

	@AutoClose
	private final TcpRelay relay;

	private final JobStore store;

	private final JobStore relayedStore;

	JobStoreIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new ScriptFixture(redis);
		this.name = this.queue.queue();
		this.relay = TcpRelay.to(redis);
		this.store = new JobStore(redis.connections(), redis.prefix());
		this.relayedStore = new JobStore(this.relay.connections(Duration.ofSeconds(5)), redis.prefix());
	}

	@AfterEach
	void check() {
		this.queue.assertOnePlaceEach();
	}

	// Without disturbances

	@Test
	void enqueueStoresJobAndRegistersQueue() {
		this.store.enqueue(this.name, job(1));
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(queues(this.redis)).contains(this.name);
	}

	@Test
	void enqueueWhenDelayedSchedules() {
		this.store.enqueue(this.name, job(1, 60_000));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
	}

	@Test
	void enqueueWhenSchemaIsNewerSaysWhatToDo() {
		this.queue.set("meta", "schema", "3");
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.store.enqueue(this.name, job(1)))
			.withMessageContaining("Update this application");
		assertThat(this.queue.ready()).isEmpty();
	}

	@Test
	@DisplayName("SK-64: many jobs are stored by a few calls")
	void enqueueAllWhenManyStoresInChunksOfThousand() {
		Push push = this.store.enqueueAll(this.name, List.of(jobs(1, 2500)), Durability.STORED);
		assertThat(push.failure()).isNull();
		assertThat(push.admissions()).hasSize(2500).doesNotContainNull();
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 2500).toArray()));
		assertThat(calls()).isEqualTo(3);
		assertThat(queues(this.redis)).contains(this.name);
	}

	@Test
	void enqueueAllWhenJobsAreLargeStoresInChunksOfMegabyte() {
		byte[] large = new byte[100 * 1024];
		Push push = this.store.enqueueAll(this.name,
				IntStream.rangeClosed(1, 25).mapToObj((n) -> new NewJob(id(n), large, null)).toList(),
				Durability.STORED);
		assertThat(push.admissions()).hasSize(25).doesNotContainNull();
		assertThat(calls()).isEqualTo(3);
		assertThat(this.queue.list("ready")).hasSize(25);
	}

	@Test
	void enqueueAllWhenOneJobIsLargerThanChunkSendsItAlone() {
		NewJob huge = new NewJob(id(2), new byte[3 << 20], null);
		Push push = this.store.enqueueAll(this.name, List.of(job(1), huge, job(3)), Durability.STORED);
		assertThat(push.admissions()).hasSize(3).doesNotContainNull();
		assertThat(calls()).isEqualTo(3);
	}

	@Test
	void enqueueAllWhenThereAreNoneStoresNothing() {
		Push push = this.store.enqueueAll(this.name, List.of(), Durability.STORED);
		assertThat(push.admissions()).isEmpty();
		assertThat(push.failure()).isNull();
	}

	@Test
	void enqueueAllWhenJobsCannotBeReadKeepsWhatWasStoredAndGivesEverythingBack() {
		List<NewJob> torn = new AbstractList<>() {

			@Override
			public NewJob get(int index) {
				if (index == 1500) {
					throw new IllegalStateException("torn");
				}
				return job(index + 1);
			}

			@Override
			public int size() {
				return 3000;
			}

		};
		// If failed calls still counted, these attempts would exceed the limit for calls
		// in progress.
		for (int attempt = 0; attempt < 4; attempt++) {
			Push push = this.store.enqueueAll(this.name, torn, Durability.STORED);
			assertThat(push.failure()).hasMessageContaining("torn");
			assertThat(push.admissions()).satisfies((admissions) -> {
				assertThat(admissions[999]).isNotNull();
				assertThat(admissions[1000]).isNull();
			});
			this.redis.clear();
		}
		assertThat(this.store.enqueueAll(this.name, List.of(jobs(1, 3000)), Durability.STORED).failure()).isNull();
	}

	@Test
	void enqueueAllWhenManyThreadsPushStoresAll() {
		List<CompletableFuture<Push>> pushes = IntStream.range(0, 8)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> this.store.enqueueAll(this.name,
					List.of(jobs(thread * 2000 + 1, thread * 2000 + 2000)), Durability.STORED)))
			.toList();
		assertThat(pushes).extracting((push) -> push.join().failure()).containsOnlyNulls();
		assertThat(this.queue.list("ready")).hasSize(16_000).doesNotHaveDuplicates();
	}

	/**
	 * Return the number of calls that stored jobs.
	 */
	private int calls() {
		return this.queue.hash("calls")
			.values()
			.stream()
			.mapToInt((call) -> Integer.parseInt(call.split(" ")[0]))
			.sum();
	}

	@Test
	void findWhenJobIsThereReturnsItsPayload() {
		this.store.enqueue(this.name, job(1, 60_000));
		assertThat(this.store.find(id(1), (queue, payload) -> payload))
			.hasValueSatisfying((bytes) -> assertThat(bytes).asString().isEqualTo(payload(1)));
		assertThat(this.store.find(id(2), (queue, payload) -> payload)).isEmpty();
	}

	@Test
	void cancelTellsWhetherThereWasSuchJob() {
		this.store.enqueue(this.name, job(1));
		assertThat(this.store.cancel(id(1), false)).isTrue();
		assertThat(this.store.cancel(id(2), false)).isFalse();
		assertThat(this.store.find(id(1), (queue, payload) -> payload)).isEmpty();
	}

	@Test
	void cancelWhenJobRunsTellsThatThereWas() {
		this.queue.working(1);
		this.store.enqueue(this.name, job(2));
		assertThat(this.store.cancel(id(1), false)).isTrue();
	}

	@Test
	@DisplayName("SK-77: scripts are called by digest, and loaded again when missing")
	void enqueueWhenScriptsWereFlushedLoadsThemAgain() {
		this.store.enqueue(this.name, job(1));
		try (RedisConnection connection = this.redis.connectionFactory().getConnection()) {
			connection.scriptingCommands().scriptFlush();
		}
		this.store.enqueue(this.name, job(2));
		assertThat(this.store.enqueueAll(this.name, List.of(jobs(3, 4)), Durability.STORED).failure()).isNull();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
	}

	// With disturbances

	@Test
	void enqueueWhenReplyIsLostStoresOnce() {
		this.relayedStore.enqueue(this.name, job(1));
		for (int job = 2; job <= 6; job++) {
			this.relay.loseReplyTo(id(job));
			this.relayedStore.enqueue(this.name, job(job));
		}
		assertThat(this.relay.lostReplies()).isEqualTo(5);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4, 5, 6));
	}

	@Test
	void enqueueWhenConnectionIsCutBetweenCallsStores() {
		this.relayedStore.enqueue(this.name, job(1));
		this.relay.cut();
		this.relayedStore.enqueue(this.name, job(2));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	void enqueueWhenConnectionIsCutDuringCallSendsItAgain() {
		this.relayedStore.enqueue(this.name, job(1));
		this.relay.swallow();
		CompletableFuture<Void> call = CompletableFuture.runAsync(() -> this.relayedStore.enqueue(this.name, job(2)));
		Awaitility.await().until(() -> this.relay.swallowed() > 0);
		assertThat(this.queue.ready()).containsExactly(id(1));
		this.relay.pass();
		this.relay.cut();
		call.join();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	void enqueueWhenConnectionDiedSilentlySaysThatItMayBeStoredAndUsesAnother() {
		RedisConnections impatient = new RedisConnections(this.relay.connectionFactory(Duration.ofMillis(500)));
		JobStore store = new JobStore(impatient, this.redis.prefix());
		store.enqueue(this.name, job(1));
		this.relay.swallow();
		assertThatExceptionOfType(JobStoreTimeoutException.class).isThrownBy(() -> store.enqueue(this.name, job(2)));
		this.relay.pass();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> stores(store, this.queue, 3));
		assertThat(this.queue.ready()).containsExactly(ids(1, 3));
		impatient.close();
	}

	@Test
	void enqueueWhenConnectionDiedSilentlyAndClientWaitsForEverUsesAnother() {
		LettuceConnectionFactory factory = this.relay.connectionFactoryWithoutTimeouts(Duration.ofMillis(500));
		RedisConnections patient = new RedisConnections(factory);
		JobStore store = new JobStore(patient, this.redis.prefix());
		store.enqueue(this.name, job(1));
		this.relay.swallow();
		assertThatExceptionOfType(JobStoreTimeoutException.class).isThrownBy(() -> store.enqueue(this.name, job(2)));
		this.relay.pass();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> stores(store, this.queue, 3));
		assertThat(this.queue.ready()).containsExactly(ids(1, 3));
		patient.close();
	}

	@Test
	void enqueueWhenServerRefusesConnectionsIsToldSo() {
		this.relay.refuse();
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.relayedStore.enqueue(this.name, job(1)));
		assertThat(this.relayedStore.enqueueAll(this.name, List.of(jobs(1, 2)), Durability.STORED))
			.satisfies((push) -> {
				assertThat(push.failure()).isInstanceOf(JobStoreUnavailableException.class);
				assertThat(push.admissions()).hasSize(2).containsOnlyNulls();
				assertThat(push.outcomes()).containsOnly(Outcome.NOT_SENT);
			});
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void enqueueWhenServerDoesNotAnswerConnectionsIsToldSo() {
		this.relay.swallow();
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.relayedStore.enqueue(this.name, job(1)));
	}

	@Test
	void enqueueWhenServerIsBackStoresAgain() {
		this.relayedStore.enqueue(this.name, job(1));
		this.relay.refuse();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.relayedStore.enqueue(this.name, job(2)));
		this.relay.pass();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> stores(this.relayedStore, this.queue, 3));
		assertThat(this.queue.ready()).containsExactly(ids(1, 3));
	}

	@Test
	void enqueueAllWhenReplyIsLostStoresOnce() {
		this.relayedStore.enqueueAll(this.name, List.of(job(1)), Durability.STORED);
		this.relay.loseReplyTo(id(2));
		Push push = this.relayedStore.enqueueAll(this.name, Arrays.asList(jobs(2, 2501)), Durability.STORED);
		assertThat(push.failure()).isNull();
		assertThat(this.relay.lostReplies()).isEqualTo(1);
		assertThat(this.queue.list("ready")).hasSize(2501).doesNotHaveDuplicates();
	}

	@Test
	@DisplayName("SK-65: a call that a replica refuses is sent on another connection")
	void enqueueWhenServerIsReplicaForAMomentStoresOnAnotherConnection() {
		try (OwnRedis own = OwnRedis.start()) {
			ScriptFixture queue = new ScriptFixture(own.redis());
			JobStore store = new JobStore(own.redis().connections(), own.redis().prefix());
			store.enqueue(queue.queue(), job(1));
			BooleanSupplier replaced = ConnectionPeek.replaced(own.redis().connections());
			own.demote();
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> store.enqueue(queue.queue(), job(2)));
			Awaitility.await().until(replaced::getAsBoolean);
			own.promote();
			call.join();
			assertThat(queue.ready()).containsExactly(ids(1, 2));
		}
	}

	@Test
	void enqueueWhenServerStaysReplicaSaysThatNothingWasStored() {
		try (OwnRedis own = OwnRedis.start()) {
			RedisConnections impatient = own.connections(Duration.ofSeconds(3));
			JobStore store = new JobStore(impatient, own.redis().prefix());
			own.demote();
			// At the first attempt, the server does not know the script yet.
			for (int attempt = 0; attempt < 2; attempt++) {
				assertThatExceptionOfType(JobStoreUnavailableException.class)
					.isThrownBy(() -> store.enqueue("mail", job(1)))
					.has(reason(Reason.NOT_READY))
					.withMessageContaining("nothing was changed (READONLY");
			}
			assertThat(store.enqueueAll("mail", List.of(jobs(1, 2)), Durability.STORED).failure())
				.isInstanceOf(JobStoreUnavailableException.class)
				.has(reason(Reason.NOT_READY));
			impatient.close();
		}
	}

	@Test
	void enqueueWhenServerIsBusyWithAScriptWaitsForItsEnd() {
		try (OwnRedis own = OwnRedis.start("--busy-reply-threshold", "1", "--lua-time-limit", "1")) {
			ScriptFixture queue = new ScriptFixture(own.redis());
			JobStore store = new JobStore(own.redis().connections(), own.redis().prefix());
			store.enqueue(queue.queue(), job(1));
			CompletableFuture<Void> endless = own.runEndlessScript();
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> store.enqueue(queue.queue(), job(2)));
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> call.get(1, TimeUnit.SECONDS));
			own.killScript();
			call.join();
			endless.join();
			assertThat(queue.ready()).containsExactly(ids(1, 2));
		}
	}

	@Test
	void enqueueWhenTooFewReplicasAreThereIsRefusedWithNothingStored() {
		try (OwnRedis own = OwnRedis.start()) {
			ScriptFixture queue = new ScriptFixture(own.redis());
			RedisConnections impatient = own.connections(Duration.ofSeconds(1));
			JobStore store = new JobStore(impatient, own.redis().prefix());
			own.configure("min-replicas-to-write", "1");
			assertThatExceptionOfType(JobStoreUnavailableException.class)
				.isThrownBy(() -> store.enqueue(queue.queue(), job(1)))
				.has(reason(Reason.NOT_READY))
				.withMessageContaining("NOREPLICAS");
			own.configure("min-replicas-to-write", "0");
			assertThat(queue.contents()).isEmpty();
			impatient.close();
		}
	}

	@Test
	void enqueueWhenRefusedCopyWasNotTheFirstSaysThatItMayBeStored() {
		try (OwnRedis own = OwnRedis.start(); TcpRelay relay = TcpRelay.to(own.redis())) {
			ScriptFixture queue = new ScriptFixture(own.redis());
			RedisConnections impatient = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(2)));
			JobStore store = new JobStore(impatient, own.redis().prefix());
			store.enqueue(queue.queue(), job(1));
			relay.onLostReply(() -> {
				// Simulate a replica that has not received the call.
				queue.template().delete(queue.key("calls"));
				own.demote();
			});
			relay.loseReplyTo(id(2));
			assertThatExceptionOfType(JobStoreTimeoutException.class)
				.isThrownBy(() -> store.enqueue(queue.queue(), job(2)));
			assertThat(queue.ready()).containsExactly(ids(1, 2));
			impatient.close();
		}
	}

	@Test
	void enqueueWhenServerWasKilledAndRestartedKeepsWhatWasStored() {
		try (OwnRedis own = OwnRedis.startDurable()) {
			ScriptFixture queue = new ScriptFixture(own.redis());
			JobStore store = new JobStore(own.redis().connections(), own.redis().prefix());
			store.enqueue(queue.queue(), job(1));
			own.kill();
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> store.enqueue(queue.queue(), job(2)));
			own.restart();
			Awaitility.await().ignoreExceptionsInstanceOf(JobStoreException.class).until(() -> stores(store, queue, 3));
			assertThat(queue.ready()).contains(id(1), id(3)).doesNotHaveDuplicates();
			queue.assertOnePlaceEach();
		}
	}

	@Test
	void enqueueWhenMemoryWasFullRegistersQueueLater() {
		try (OwnRedis own = OwnRedis.start()) {
			JobStore store = new JobStore(own.redis().connections(), own.redis().prefix());
			own.fillMemory();
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> store.enqueue("mail", job(1)))
				.has(reason(Reason.FULL));
			assertThat(store.enqueueAll("mail", List.of(jobs(1, 2500)), Durability.STORED))
				.satisfies((push) -> assertThat(push.admissions()).hasSize(2500).containsOnlyNulls())
				.satisfies((push) -> assertThat(push.outcomes()).startsWith(Outcome.REFUSED).endsWith(Outcome.NOT_SENT))
				.extracting(Push::failure)
				.isInstanceOf(JobStoreException.class)
				.has(reason(Reason.FULL));
			own.freeMemory();
			store.enqueue("mail", job(1));
			assertThat(queues(own.redis())).containsExactly("mail");
		}
	}

	private static List<String> queues(TestRedis redis) {
		return new QueueMonitor(redis.connections(), redis.prefix()).queues();
	}

	private static boolean stores(JobStore store, ScriptFixture queue, int job) {
		store.enqueue(queue.queue(), job(job));
		return true;
	}

}
