package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.Pushes;
import io.github.steadyjobs.redis.BlockingPop;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.support.ClusterTest;
import io.github.steadyjobs.support.SixNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the stores in a cluster whose masters die. The application uses the default
 * settings for its connections.
 */
@ClusterTest
class ClusterOutageIntegrationTests {

	/**
	 * The time after the recovery of the cluster within which all calls have to succeed.
	 */
	private static final Duration SOON = Duration.ofSeconds(5);

	/**
	 * The maximum duration of a call that does not wait for a dead node.
	 */
	private static final Duration AT_ONCE = Duration.ofSeconds(3);

	private final SixNodes cluster = SixNodes.start();

	private final RedisConnections connections = new RedisConnections(
			this.cluster.connectionFactory(Duration.ofSeconds(60)));

	private final JobStore store = new JobStore(this.connections, this.cluster.redis().prefix());

	private final WorkStore work = new WorkStore(this.connections, this.cluster.redis().prefix(), null);

	private final QueueMonitor monitor = new QueueMonitor(this.connections, this.cluster.redis().prefix());

	private final String dead = this.cluster.queueOf(0);

	private final String healthy = this.cluster.queueOf(1);

	@BeforeEach
	void enqueue() {
		this.store.enqueue(this.dead, job(1));
		this.store.enqueue(this.healthy, job(2));
	}

	@AfterEach
	void close() {
		this.connections.close();
		this.cluster.close();
	}

	@Test
	void enqueueWhenMasterIsDownWorksForOtherQueuesAndSoonForItsOwn() {
		this.cluster.kill(0);
		// The call fails, unless a replica takes over before the call times out.
		boolean stored = isStored(job(3));
		this.store.enqueue(this.healthy, job(4));
		this.cluster.awaitMaster(this.dead);
		soon(() -> this.store.enqueue(this.dead, job(5)));
		assertThat(this.monitor.sample(List.of(this.dead, this.healthy)).values())
			.extracting(QueueMonitor.Sample::ready)
			.containsExactly(stored ? 3L : 2L, 2L);
	}

	private boolean isStored(NewJob job) {
		try {
			this.store.enqueue(this.dead, job);
			return true;
		}
		catch (JobStoreException ex) {
			return false;
		}
	}

	@Test
	void enqueueAllWhenMasterIsDownWorksForOtherQueuesAndSoonForItsOwn() {
		this.cluster.kill(0);
		assertThat(Pushes.failure(this.store, this.dead, List.of(jobs(10, 20)))).isNotNull();
		assertThat(Pushes.failure(this.store, this.healthy, List.of(jobs(20, 30)))).isNull();
		this.cluster.awaitMaster(this.dead);
		soon(() -> assertThat(Pushes.failure(this.store, this.dead, List.of(jobs(30, 40)))).isNull());
	}

	@Test
	void findAndCancelWhenMasterIsDownReachOtherQueues() {
		this.cluster.kill(0);
		assertThat(this.store.find(job(2).id(), (queue, payload) -> payload)).isPresent();
		assertThat(this.store.cancel(job(2).id(), false)).isTrue();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.store.find(job(1).id(), (queue, payload) -> payload));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.store.cancel(job(1).id(), false));
		this.cluster.awaitMaster(this.dead);
		soon(() -> assertThat(this.store.find(job(1).id(), (queue, payload) -> payload)).isPresent());
	}

	@Test
	void sampleWhenMasterIsDownMeasuresOtherQueues() {
		this.cluster.kill(0);
		assertThat(this.monitor.sample(List.of(this.dead, this.healthy))).containsOnlyKeys(this.healthy);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.monitor.sample(List.of(this.dead)));
	}

	@Test
	void claimWhenMasterIsDownIsAnsweredForOtherQueues() {
		join(this.dead);
		join(this.healthy);
		this.cluster.kill(0);
		List<? extends CompletableFuture<List<Object>>> answers = atOnce(
				() -> this.work.send(List.of(claimCall(this.dead), claimCall(this.healthy))));
		assertThat(answers.get(1)).succeedsWithin(AT_ONCE)
			.extracting((answer) -> Claim.of(claim(this.healthy), answer).jobs().size())
			.isEqualTo(1);
		assertThat(answers.get(0)).failsWithin(AT_ONCE)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreException.class);
		this.cluster.awaitMaster(this.dead);
		soon(() -> assertThat(
				Claim.of(claim(this.dead), this.work.send(List.of(claimCall(this.dead))).get(0).join()).jobs())
			.hasSize(1));
	}

	@Test
	void claimWhenMasterStandsStillBlocksNobody() {
		join(this.healthy);
		this.connections.close();
		this.cluster.freeze(0);
		// To send the claim, a connection to the frozen node has to be opened first.
		List<? extends CompletableFuture<List<Object>>> answers = atOnce(
				() -> this.work.send(List.of(claimCall(this.dead), claimCall(this.healthy))));
		assertThat(answers.get(1)).succeedsWithin(AT_ONCE);
		this.cluster.awaitMaster(this.dead);
		soon(() -> this.store.enqueue(this.dead, job(3)));
	}

	@Test
	void enqueueWhenMasterWasDownFromTheStartWorksForOtherQueues() {
		this.connections.close();
		this.cluster.kill(0);
		RedisConnections late = new RedisConnections(this.cluster.connectionFactory(Duration.ofSeconds(60)));
		JobStore store = new JobStore(late, this.cluster.redis().prefix());
		atOnce(() -> store.enqueue(this.healthy, job(3)));
		this.cluster.awaitMaster(this.dead);
		soon(() -> store.enqueue(this.dead, job(4)));
		late.close();
	}

	@Test
	void listenWhenMasterIsDownHearsOfItsSuccessorSoon() {
		CompletableFuture<String> heard = new CompletableFuture<>();
		try (BlockingPop line = this.work.blockingPop(List.of(this.dead, this.healthy))) {
			Runnable listen = () -> line.listen((queue) -> {
				if (this.dead.equals(queue)) {
					heard.complete(queue);
				}
			}, (queue) -> null);
			this.cluster.kill(0);
			atOnce(() -> {
				listen.run();
				return true;
			});
			this.cluster.awaitMaster(this.dead);
			Awaitility.await().pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> {
				listen.run();
				return heard.isDone();
			});
		}
	}

	private void join(String queue) {
		new LivenessStore(this.connections, this.cluster.redis().prefix(), new DeadLimits(1, Duration.ofDays(1)))
			.beat(queue, "p1", true, Beat.ProcessState.RUNNING, "")
			.join();
	}

	private ScriptCall claimCall(String queue) {
		return this.work.claimCall(claim(queue));
	}

	private static Claim.Request claim(String queue) {
		return new Claim.Request(queue, "p1", "c1", 1, 1, 1, false, false);
	}

	/**
	 * Repeat a call until it succeeds.
	 */
	private static void soon(Runnable call) {
		Awaitility.await().pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> {
			try {
				call.run();
				return true;
			}
			catch (RuntimeException | AssertionError ex) {
				return false;
			}
		});
	}

	/**
	 * Make a call that must not block.
	 */
	private static <T> T atOnce(Supplier<T> call) {
		CompletableFuture<T> called = CompletableFuture.supplyAsync(call);
		assertThat(called).succeedsWithin(AT_ONCE);
		return called.join();
	}

}
