package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkStore} on a connection with disturbances.
 */
@RedisTest
class WorkStoreFaultIntegrationTests {

	private static final DeadLimits LIMITS = new DeadLimits(10, Duration.ofHours(1));

	private final ScriptFixture queue;

	@AutoClose
	private final TcpRelay relay;

	private final WorkStore store;

	private final LivenessStore liveness;

	WorkStoreFaultIntegrationTests(TestRedis redis) {
		this.queue = new ScriptFixture(redis);
		this.relay = TcpRelay.to(redis);
		RedisConnections connections = this.relay.connections(Duration.ofSeconds(5));
		this.store = new WorkStore(connections, redis.prefix(), null);
		this.liveness = new LivenessStore(connections, redis.prefix(), LIMITS);
	}

	@BeforeEach
	void join() {
		this.liveness.beat(this.queue.queue(), PROCESS, true, Beat.ProcessState.RUNNING, "").join();
		claim(1).join();
		// These calls make the server know the scripts, so that a single call is enough
		// later.
		this.store.settle(List.of(jobToken(99)), Outcome.DONE).join();
		this.store.settle(List.of(jobToken(99)), new Outcome.Retry(new byte[1], Duration.ofHours(1), 0, null, null))
			.join();
	}

	@AfterEach
	void check() {
		this.queue.assertOnePlaceEach();
	}

	@Test
	void claimWhenReplyIsLostGivesTheSameJobsWhenRepeated() {
		this.queue.enqueue(1, 2, 3);
		this.relay.loseReplyTo(CAPSULE);
		Claim claim = untilAnswered(() -> claim(2));
		assertThat(this.relay.lostReplies()).isEqualTo(1);
		assertThat(claim.jobs()).extracting(ClaimedJob::id).containsExactly(ids(1, 2));
		assertThat(this.queue.ready()).containsExactly(id(3));
	}

	@Test
	void acknowledgeWhenReplyIsLostEndsJobOnce() {
		this.queue.enqueue(1, 2);
		claim(2).join();
		this.relay.loseReplyTo(id(1));
		assertThat(untilAnswered(() -> this.store.settle(List.of(jobToken(1), jobToken(2)), Outcome.DONE)))
			.containsOnly(Settlement.ALREADY);
		assertThat(this.queue.stat("done")).isEqualTo(2);
	}

	@Test
	void retryWhenReplyIsLostMovesJobOnce() {
		this.queue.enqueue(1);
		claim(2).join();
		this.relay.loseReplyTo(id(1));
		assertThat(untilAnswered(() -> this.store.settle(List.of(jobToken(1)),
				new Outcome.Retry(new byte[1], Duration.ofHours(1), 0, null, null))))
			.containsExactly(Settlement.ALREADY);
		assertThat(this.queue.sorted("retries")).containsExactly(id(1));
		assertThat(this.queue.stat("failed")).isEqualTo(1);
	}

	@Test
	void leaveWhenReplyIsLostSendsItAgain() {
		this.queue.enqueue(1, 2);
		claim(2).join();
		this.relay.loseReplyTo(PROCESS);
		this.liveness.leave(this.queue.queue(), PROCESS);
		assertThat(this.relay.lostReplies()).isEqualTo(1);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.has("beats")).isFalse();
	}

	@Test
	void claimWhenServerIsAwayIsNotSent() {
		this.relay.refuse();
		Awaitility.await()
			.untilAsserted(() -> assertThat(claim(2)).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(JobStoreUnavailableException.class));
	}

	@Test
	void claimWhenNobodyAnswersFailsAndGoesOnWithAnotherConnection() {
		this.queue.enqueue(1);
		this.relay.swallow();
		CompletableFuture<Claim> lost = claim(2);
		Awaitility.await().until(() -> this.relay.swallowed() > 0);
		assertThat(lost).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreTimeoutException.class);
		this.relay.pass();
		assertThat(untilAnswered(() -> claim(2)).jobs()).extracting(ClaimedJob::id).containsExactly(id(1));
	}

	private CompletableFuture<Claim> claim(long number) {
		Claim.Request request = new Claim.Request(this.queue.queue(), PROCESS, CAPSULE, number, 2, 2, false, false);
		return this.store.send(List.of(this.store.claimCall(request)))
			.get(0)
			.thenApply((answer) -> Claim.of(request, answer));
	}

	private JobToken jobToken(int job) {
		return new JobToken(this.queue.queue(), PROCESS, id(job), token(2));
	}

	/**
	 * Repeat a call in the same way as workers do.
	 */
	private static <T> T untilAnswered(Supplier<CompletableFuture<T>> call) {
		return Awaitility.await()
			.ignoreExceptionsMatching(
					(ex) -> ex instanceof JobStoreException || ex.getCause() instanceof JobStoreException)
			.until(() -> call.get().join(), (answer) -> true);
	}

}
