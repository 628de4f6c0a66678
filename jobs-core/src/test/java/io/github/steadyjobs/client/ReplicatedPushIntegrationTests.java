package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.ConnectionPeek;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ReplicaWait;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.ReplicatedRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;

import static io.github.steadyjobs.Durability.REPLICATED;
import static io.github.steadyjobs.Durability.STORED;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BulkPush} with jobs that have to be replicated, on a server that has a
 * replica.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ReplicatedPushIntegrationTests {

	/**
	 * A timeout that is longer than a test may take, so that a test that waits for this
	 * timeout fails.
	 */
	private static final Duration PATIENT = Duration.ofSeconds(120);

	private final ReplicatedRedis servers = ReplicatedRedis.start();

	private final OwnRedis primary = this.servers.primary();

	private final ScriptFixture queue = new ScriptFixture(this.primary.redis());

	private final TcpRelay relay = TcpRelay.to(this.primary.host(), this.primary.port());

	private final RedisConnections connections = new RedisConnections(this.relay.connectionFactory(PATIENT));

	private final JobStore store = new JobStore(this.connections, this.primary.redis().prefix());

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void close() {
		this.connections.close();
		this.relay.close();
		this.servers.close();
		this.threads.shutdownNow();
	}

	@Test
	void enqueueWhenReplicaAcknowledgesReachesReplicated() {
		assertThat(push(1)).isEqualTo(REPLICATED);
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(2, 60_000)), REPLICATED).reached())
			.isEqualTo(REPLICATED);
		assertThat(onReplica()).containsExactlyInAnyOrder(ids(1, 2));
		assertThat(waits()).isPositive();
	}

	@Test
	void enqueueWhenStoredIsEnoughDoesNotWait() {
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(job(1)), STORED).reached()).isEqualTo(STORED);
		assertThat(waits()).isZero();
	}

	@Test
	void enqueueAllWhenReplicaAcknowledgesWaitsOnce() {
		Push push = this.store.enqueueAll(this.queue.queue(), List.of(jobs(1, 2500)), REPLICATED);
		assertThat(push.failure()).isNull();
		assertThat(push.reached()).isEqualTo(REPLICATED);
		assertThat(push.admissions()).hasSize(2500).doesNotContainNull();
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 2500).toArray()));
		// WAIT is repeated if the replica lags.
		assertThat(waits()).isBetween(1, 2);
	}

	@Test
	void enqueueAllWhenRefusedReachesNothingAndDoesNotWait() {
		this.queue.set("meta", "schema", "99");
		Push push = this.store.enqueueAll(this.queue.queue(), List.of(jobs(1, 2)), REPLICATED);
		assertThat(push.failure()).hasMessageContaining("Update this application");
		assertThat(push.admissions()).hasSize(2).containsOnlyNulls();
		assertThat(push.reached()).isEqualTo(STORED);
		assertThat(waits()).isZero();
	}

	@Test
	void enqueueWhenManyAskSharesWaits() {
		int threads = 32;
		int each = 25;
		List<CompletableFuture<List<Durability>>> reached = IntStream.range(0, threads)
			.mapToObj((thread) -> inBackground(
					() -> IntStream.range(0, each).mapToObj((i) -> push(thread * each + i)).toList()))
			.toList();
		assertThat(reached).allSatisfy((levels) -> assertThat(levels.join()).containsOnly(REPLICATED));
		assertThat(this.queue.list("ready")).hasSize(threads * each).doesNotHaveDuplicates();
		assertThat(waits()).isLessThan(threads * each / 2);
	}

	// Without an acknowledgement

	@Test
	void enqueueWhenLinkIsCutReachesStored() {
		push(1);
		this.servers.cutLink();
		assertThat(push(2)).isEqualTo(STORED);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		this.servers.mendLink();
		assertThat(push(3)).isEqualTo(REPLICATED);
	}

	@Test
	void enqueueWhenReplicaDoesNotAnswerReachesStoredByTheCommandTimeout() {
		RedisConnections impatient = new RedisConnections(this.relay.connectionFactory(Duration.ofSeconds(2)));
		JobStore store = new JobStore(impatient, this.primary.redis().prefix());
		store.enqueueAll(this.queue.queue(), List.of(job(1)), REPLICATED).reached();
		this.servers.replica().freeze();
		List<CompletableFuture<Durability>> pushes = IntStream.rangeClosed(2, 9)
			.mapToObj((i) -> inBackground(
					() -> store.enqueueAll(this.queue.queue(), List.of(job(i)), REPLICATED).reached()))
			.toList();
		assertThat(pushes).allSatisfy((push) -> assertThat(push.join()).isEqualTo(STORED));
		assertThat(this.queue.ready()).hasSize(9).doesNotHaveDuplicates();
		impatient.close();
	}

	@Test
	void enqueueWhenReplicaLagsWaitsForItAndHoldsUpNobodyElse() {
		push(1);
		Set<Long> others = ConnectionPeek.clientIds(this.connections);
		this.servers.replica().freeze();
		List<CompletableFuture<Durability>> waiting = IntStream.rangeClosed(2, 33)
			.mapToObj((i) -> inBackground(() -> push(i)))
			.toList();
		Set<Long> blocked = awaitWait();
		assertThat(blocked).hasSize(1).doesNotContainAnyElementsOf(others);
		this.store.enqueue(this.queue.queue(), job(100));
		assertThat(this.store.enqueueAll(this.queue.queue(), List.of(jobs(101, 102)), Durability.STORED).failure())
			.isNull();
		// The 32 pushes share a connection with WAIT, which blocks it. They are carried
		// out nevertheless, because no single WAIT lasts longer than a second.
		Awaitility.await().until(() -> this.queue.ready().size() == 36);
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
		this.servers.replica().thaw();
		assertThat(waiting).allSatisfy((push) -> assertThat(push.join()).isEqualTo(REPLICATED));
	}

	@Test
	void enqueueWhenReplyIsLostStoresOnceAndClaimsNoMore() {
		push(1);
		this.relay.loseReplyTo(id(2));
		assertThat(push(2)).isEqualTo(STORED);
		assertThat(this.relay.lostReplies()).isEqualTo(1);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(push(3)).isEqualTo(REPLICATED);
	}

	@Test
	void enqueueWhenConnectionBreaksDuringTheWaitReachesStored() {
		push(1);
		this.servers.replica().freeze();
		CompletableFuture<Durability> push = inBackground(() -> push(2));
		awaitWait();
		this.relay.cut();
		assertThat(push.join()).isEqualTo(STORED);
		this.servers.replica().thaw();
		assertThat(push(3)).isEqualTo(REPLICATED);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
	}

	@Test
	void enqueueWhenServerBecomesReplicaDuringTheWaitReachesStored() {
		push(1);
		ReplicaWait replicas = this.connections.replicaWait("p", "q");
		this.servers.replica().freeze();
		CompletableFuture<Durability> push = inBackground(() -> push(2));
		awaitWait();
		this.primary.demote();
		assertThat(push.join()).isEqualTo(STORED);
		Awaitility.await().until(() -> !ConnectionPeek.isPresent(replicas));
	}

	@Test
	void acknowledgeWhenServerHasBecomeReplicaAsksForAnotherConnection(CapturedOutput output) {
		ReplicaWait replicas = this.connections.replicaWait("p", "q");
		this.primary.demote();
		assertThat(replicas.acknowledge(System.nanoTime() + PATIENT.toNanos())).isFalse();
		assertThat(ConnectionPeek.isPresent(replicas)).isFalse();
		assertThat(output.getAll()).doesNotContain("Redis refuses WAIT");
	}

	@Test
	void enqueueWhenWaitIsRefusedReachesStoredAndSaysSoOnce(CapturedOutput output) {
		this.primary.execute("ACL", "SETUSER", "default", "-wait");
		assertThat(push(1)).isEqualTo(STORED);
		assertThat(push(2)).isEqualTo(STORED);
		assertThat(output.getAll().split("Redis refuses WAIT", -1)).hasSize(2);
	}

	@Test
	void enqueueWhenInterruptedDuringTheWaitReachesStoredAndStaysInterrupted() {
		this.servers.replica().freeze();
		AtomicBoolean interrupted = new AtomicBoolean();
		CompletableFuture<Durability> reached = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			reached.complete(push(1));
			interrupted.set(Thread.currentThread().isInterrupted());
		});
		thread.start();
		Awaitility.await().until(() -> this.queue.ready().size() == 1);
		awaitWait();
		thread.interrupt();
		assertThat(reached.join()).isEqualTo(STORED);
		Awaitility.await().untilTrue(interrupted);
	}

	// Losing the primary

	@Test
	void promoteWhenPrimaryIsKilledAfterLinkWasCutHasAllThatWereReplicated() {
		Map<String, Durability> reached = new ConcurrentHashMap<>();
		AtomicInteger numbers = new AtomicInteger();
		AtomicBoolean killed = new AtomicBoolean();
		List<CompletableFuture<Void>> producers = IntStream.range(0, 8).mapToObj((i) -> inBackground(() -> {
			while (!killed.get()) {
				int number = numbers.incrementAndGet();
				try {
					reached.put(id(number), push(number));
				}
				catch (JobStoreException ex) {
					// The server was killed in the meantime. No caller received an answer
					// for this job.
				}
			}
			return (Void) null;
		})).toList();
		Awaitility.await().until(() -> count(reached, REPLICATED) > 500);
		this.servers.cutLink();
		Awaitility.await().until(() -> count(reached, STORED) > 50);
		this.primary.kill();
		killed.set(true);
		producers.forEach(CompletableFuture::join);
		this.servers.replica().promote();
		Set<String> survivors = onReplica();
		assertThat(survivors).containsAll(withLevel(reached, REPLICATED));
		assertThat(withLevel(reached, STORED)).anyMatch((id) -> !survivors.contains(id));
	}

	private Durability push(int number) {
		return this.store.enqueueAll(this.queue.queue(), List.of(job(number)), REPLICATED).reached();
	}

	private <T> CompletableFuture<T> inBackground(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, this.threads);
	}

	private Set<String> onReplica() {
		return this.servers.replica().redis().template().<String, String>opsForHash().keys(this.queue.key("payloads"));
	}

	private static long count(Map<String, Durability> reached, Durability level) {
		return withLevel(reached, level).size();
	}

	private static List<String> withLevel(Map<String, Durability> reached, Durability level) {
		List<String> ids = new ArrayList<>();
		reached.forEach((id, present) -> {
			if (present == level) {
				ids.add(id);
			}
		});
		return ids;
	}

	/**
	 * Wait until a WAIT is in progress.
	 * @return the ids of the waiting clients
	 */
	private Set<Long> awaitWait() {
		return Awaitility.await().until(this::blockedInWait, (ids) -> !ids.isEmpty());
	}

	private Set<Long> blockedInWait() {
		try (RedisConnection connection = this.primary.redis().connectionFactory().getConnection()) {
			return connection.serverCommands()
				.getClientList()
				.stream()
				.filter((client) -> "wait".equals(client.getLastCommand()) && client.getFlags().contains("b"))
				.map((client) -> Long.valueOf(client.get("id")))
				.collect(Collectors.toSet());
		}
	}

	private int waits() {
		Properties stats = this.primary.info("commandstats");
		String wait = stats.getProperty("cmdstat_wait", "calls=0,");
		return Integer.parseInt(wait.substring("calls=".length(), wait.indexOf(',')));
	}

}
