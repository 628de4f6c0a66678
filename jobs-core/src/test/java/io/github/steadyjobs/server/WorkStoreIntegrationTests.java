package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.ParkedStore;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each method of {@link WorkStore} calls its script with the right keys and
 * arguments.
 */
@RedisAndClusterTest
class WorkStoreIntegrationTests {

	private static final DeadLimits LIMITS = new DeadLimits(10, Duration.ofHours(1));

	private final TestRedis redis;

	private final ScriptFixture queue;

	private final String name;

	private final WorkStore store;

	private final LivenessStore liveness;

	WorkStoreIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new ScriptFixture(redis);
		this.name = this.queue.queue();
		this.store = new WorkStore(redis.connections(), redis.prefix(), LIMITS);
		this.liveness = new LivenessStore(redis.connections(), redis.prefix(), LIMITS);
	}

	@BeforeEach
	void join() {
		this.liveness.beat(this.name, PROCESS, true, Beat.ProcessState.RUNNING, "").join();
	}

	@AfterEach
	void check() {
		this.queue.assertOnePlaceEach();
	}

	@Test
	void beatWhenJoinedCounts() {
		assertThat(this.liveness.beat(this.name, PROCESS, false, Beat.ProcessState.RUNNING, "").join())
			.satisfies((beat) -> {
				assertThat(beat.status()).isEqualTo(Claim.Status.OK);
				assertThat(beat.counters()).isEqualTo(Map.of(PROCESS, 2L));
			});
		assertThat(this.queue.hash("meta")).containsOnlyKeys("schema", "epoch", "seq");
	}

	@Test
	void claimWhenSeveralQueuesAnswersInOrder() {
		ScriptFixture other = this.queue.sibling();
		this.queue.enqueue(1, 2, 3);
		this.liveness.beat(other.queue(), PROCESS, true, Beat.ProcessState.RUNNING, "").join();
		other.enqueue(4);
		List<Claim> claims = claims(request(other.queue(), 1, 5), request("never-used", 1, 5),
				request(this.name, 1, 2));
		assertThat(claims).extracting(Claim::status)
			.containsExactly(Claim.Status.OK, Claim.Status.FENCED, Claim.Status.OK);
		assertThat(claims.get(0).jobs()).extracting(ClaimedJob::id).containsExactly(id(4));
		assertThat(claims.get(2).jobs()).extracting(ClaimedJob::id).containsExactly(ids(1, 2));
		assertThat(claims.get(2).rest().ready()).isEqualTo(1);
	}

	@Test
	void claimWhenMoreWantedThanItsStepGivesThem() {
		this.queue.enqueue(jobs(1, 500));
		assertThat(claim(1, 500).jobs()).hasSize(500);
	}

	@Test
	void claimWhenThousandAreWantedTakesThemAll() {
		for (int job = 1; job <= 3000; job += 1000) {
			this.queue.enqueue(jobs(job, job + 999));
		}
		Claim claim = claim(1, 1000);
		assertThat(claim.jobs()).hasSize(1000);
		assertThat(claim.rest().ready()).isEqualTo(2000);
	}

	@Test
	void settlementsEndWhatWasClaimed() {
		this.queue.enqueue(1, 2, 3, 4, 5);
		claim(1, 5);
		assertThat(this.store.settle(List.of(token(1), token(9)), Outcome.DONE).join()).containsExactly(Settlement.DONE,
				Settlement.ALREADY);
		assertThat(this.store
			.settle(List.of(token(2)), new Outcome.Retry(bytes("failed"), Duration.ofHours(1), 0, null, null))
			.join()).containsExactly(Settlement.DONE);
		assertThat(this.store.settle(List.of(token(3)), new Outcome.Dead(null, null)).join())
			.containsExactly(Settlement.DONE);
		assertThat(this.store.settle(List.of(token(4)), new Outcome.Parked(null, "unknown:Grüße")).join())
			.containsExactly(Settlement.DONE);
		assertThat(this.store.settle(List.of(token(5)), Outcome.RELEASED).join()).containsExactly(Settlement.DONE);
		assertThat(this.queue.contents()).doesNotContainKey("working");
		assertThat(this.queue.sorted("retries")).containsExactly(id(2));
		assertThat(this.queue.sorted("dead")).containsExactly(id(3));
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(4), "unknown:Grüße"));
		assertThat(this.queue.ready()).containsExactly(id(5));
		assertThat(this.queue.hash("payloads")).containsEntry(id(2), "failed")
			.containsEntry(id(3), ScriptFixture.payload(3));
	}

	@Test
	void buryWhenPayloadIsGivenStoresIt() {
		this.queue.enqueue(1);
		claim(1, 1);
		this.store.settle(List.of(token(1)), new Outcome.Dead(bytes("dead"), null)).join();
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "dead");
	}

	@Test
	void discardForgetsWhatWasClaimed() {
		this.queue.enqueue(1);
		claim(1, 1);
		assertThat(this.store.settle(List.of(token(9)), new Outcome.Discarded(null)).join())
			.containsExactly(Settlement.ALREADY);
		assertThat(this.store.settle(List.of(token(1)), new Outcome.Discarded(null)).join())
			.containsExactly(Settlement.DONE);
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "dead");
		assertThat(this.queue.stat("discarded")).isEqualTo(1);
	}

	@Test
	void buryKeepsToLimits() {
		this.queue.enqueue(1, 2, 3);
		claim(1, 3);
		WorkStore limited = new WorkStore(this.redis.connections(), this.redis.prefix(),
				new DeadLimits(2, Duration.ofHours(1)));
		for (int job = 1; job <= 3; job++) {
			limited.settle(List.of(token(job)), new Outcome.Dead(null, null)).join();
		}
		assertThat(this.queue.sorted("dead")).containsExactly(ids(2, 3));
	}

	@Test
	void settlementsWhenTokenIsOverrunAreStale() {
		this.queue.enqueue(1);
		claim(1, 1);
		this.store.settle(List.of(token(1)), Outcome.RELEASED).join();
		claim(2, 1);
		assertThat(this.store.settle(List.of(token(1)), Outcome.DONE).join()).containsExactly(Settlement.STALE);
		assertThat(
				this.store.settle(List.of(token(1)), new Outcome.Retry(bytes("failed"), Duration.ZERO, 0, null, null))
					.join())
			.containsExactly(Settlement.STALE);
		assertThat(this.store.settle(List.of(token(1)), new Outcome.Dead(null, null)).join())
			.containsExactly(Settlement.STALE);
		assertThat(this.store.settle(List.of(token(1)), new Outcome.Discarded(null)).join())
			.containsExactly(Settlement.STALE);
		assertThat(this.store.settle(List.of(token(1)), new Outcome.Parked(null, "unknown:x")).join())
			.containsExactly(Settlement.STALE);
		assertThat(this.store.settle(List.of(token(1)), Outcome.RELEASED).join()).containsExactly(Settlement.STALE);
	}

	@Test
	void settlementWhenJobWasCancelledSaysSo() {
		this.queue.enqueue(1);
		claim(1, 1);
		this.queue.cancel(1);
		assertThat(
				this.store.settle(List.of(token(1)), new Outcome.Retry(bytes("failed"), Duration.ZERO, 0, null, null))
					.join())
			.containsExactly(Settlement.CANCELLED);
	}

	@Test
	void unparkGoesThroughAllPages() {
		this.queue.enqueue(jobs(1, 500));
		claim(1, 500);
		for (int job = 1; job <= 500; job++) {
			this.store.settle(List.of(token(job)),
					new Outcome.Parked(null, (job % 2 == 0) ? "unknown:even" : "unknown:odd"));
		}
		assertThat(new ParkedStore(this.redis.connections(), this.redis.prefix()).lookThrough(this.name,
				List.of("unknown:even", "paused:x")))
			.isEqualTo(new ParkedStore.Found(250, 0, -1));
		assertThat(this.queue.ready()).hasSize(250).startsWith(id(2), id(4));
		assertThat(this.queue.hash("parked")).hasSize(250);
	}

	@Test
	void leaveMovesEverything() {
		this.queue.enqueue(jobs(1, 1000));
		claim(1, 1000);
		this.queue.enqueue(jobs(1001, 1500));
		claim(2, 500);
		assertThat(this.liveness.leave(this.name, PROCESS).left()).isEqualTo(500);
		assertThat(this.liveness.leave(this.name, PROCESS).left()).isZero();
		assertThat(this.queue.ready()).hasSize(1500).startsWith(id(1)).endsWith(id(1500));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "beats", "claims");
	}

	@Test
	@DisplayName("SK-71: processes whose records have expired are removed")
	void forgetExpiredRemovesNamesWithoutRecord() {
		ProcessStore processes = new ProcessStore(this.redis.connections(), this.redis.prefix());
		processes.register("there:1");
		processes.report("there:1", Map.of("busy", "1"), Duration.ofHours(1)).join();
		this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", "gone:1");
		this.liveness.forgetExpired();
		this.liveness.beat(this.name, PROCESS, false, Beat.ProcessState.RUNNING, "").join();
		assertThat(this.redis.template().opsForSet().members(this.redis.prefix() + ":processes"))
			.containsExactly("there:1");
		processes.remove("there:1");
	}

	private Claim claim(long number, int wanted) {
		return claims(request(this.name, number, wanted)).get(0);
	}

	private List<Claim> claims(Claim.Request... requests) {
		List<? extends CompletableFuture<List<Object>>> answers = this.store
			.send(Stream.of(requests).map(this.store::claimCall).toList());
		return IntStream.range(0, requests.length)
			.mapToObj((i) -> Claim.of(requests[i], answers.get(i).join()))
			.toList();
	}

	private static Claim.Request request(String queue, long number, int wanted) {
		return new Claim.Request(queue, PROCESS, CAPSULE, number, wanted, wanted, false, false);
	}

	private JobToken token(int job) {
		return new JobToken(this.name, PROCESS, id(job), request(this.name, 1, 1).token());
	}

}
