package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.redis.ScriptFixture.PROCESS;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.ids;
import static io.github.steadyjobs.redis.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code leave.lua}.
 */
class LeaveScriptIntegrationTests extends AbstractScriptTests {

	LeaveScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void leaveWhenJobsAreHeldPutsTheOldestFirst() {
		this.queue.working(1, 2, 3);
		this.queue.enqueue(4);
		assertThat(this.queue.leave(PROCESS, 1000)).containsExactly(3L, 0L);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "beats", "claims");
		assertThat(this.queue.stat("released")).isEqualTo(3);
	}

	@Test
	void leaveWhenOthersWorkTooLeavesThemAlone() {
		this.queue.working(1);
		this.queue.join("p10");
		this.queue.enqueue(2);
		this.queue.claim("p10", 1, 1, 200);
		assertThat(this.queue.leave(PROCESS, 1000)).containsExactly(1L, 0L);
		assertThat(this.queue.hash("working")).isEqualTo(Map.of(id(2), "p10/" + token(1)));
		assertThat(this.queue.hash("beats")).containsOnlyKeys("p10");
		assertThat(this.queue.hash("claims")).containsOnlyKeys("p10/" + CAPSULE);
	}

	@Test
	void leaveWhenSeveralCapsulesWorkedRemovesAllTheirClaims() {
		this.queue.working(1);
		this.queue.claim(PROCESS, "other", 1, 1, 200);
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.has("claims")).isFalse();
	}

	@Test
	void leaveWhenMoreJobsThanLimitStaysUntilTheLastStep() {
		this.queue.working(1, 2, 3, 4, 5);
		assertThat(this.queue.leave(PROCESS, 2)).containsExactly(2L, 3L);
		assertThat(this.queue.hash("beats")).containsOnlyKeys(PROCESS);
		assertThat(this.queue.leave(PROCESS, 2)).containsExactly(2L, 1L);
		assertThat(this.queue.leave(PROCESS, 2)).containsExactly(1L, 0L);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4, 5));
		assertThat(this.queue.has("beats")).isFalse();
	}

	@Test
	void leaveLeavesAtMostThreeTokens() {
		this.queue.working(1, 2, 3, 4);
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.list("wake")).hasSize(3);
	}

	@Test
	void leaveWhenPausedLeavesNoToken() {
		this.queue.working(1);
		this.queue.pause();
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void leaveWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1, 2);
		this.queue.cancel(1);
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	@Test
	void leaveWhenJobsAreClaimedAfterwardsAnswersFenced() {
		this.queue.working(1);
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.claim(1).status()).isEqualTo(Claim.Status.FENCED);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("A");
		assertThat(this.queue.ready()).containsExactly(id(1));
	}

	@Test
	void leaveWhenNeverJoinedDoesNothing() {
		assertThat(this.queue.leave(PROCESS, 1000)).containsExactly(0L, 0L);
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void leaveWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.leave(PROCESS, 1000));
		assertThat(this.queue.leave(PROCESS, 1000)).isEqualTo(List.of(0L, 0L));
	}

	@Test
	void leaveWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(JobScript.LEAVE, (queue) -> queue.working(1), (queue) -> queue.leave(PROCESS, 1000),
				"beats", "claims", "ready", "cancelled", "wake", "stats");
	}

}
