package io.github.steadyjobs.server;

import java.util.Map;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a job that has to run alone does so until it has ended, no matter how it
 * returns to its queue. Job 1 is the suspect.
 */
class SuspectScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	SuspectScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@BeforeEach
	void join() {
		this.queue.join(PROCESS);
	}

	@Test
	void claimWhenNoSuspectIsWantedLeavesIt() {
		suspects(1);
		this.queue.enqueue(2);
		assertThat(this.queue.claim(9).jobs()).extracting(ClaimedJob::id).containsExactly(id(2));
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
	}

	@Test
	void claimWhenASuspectIsWantedGivesOneAndNothingElse() {
		suspects(1, 3);
		this.queue.enqueue(2);
		Claim claim = this.queue.claimSuspect(PROCESS, 1);
		assertThat(claim.jobs()).extracting(ClaimedJob::id).containsExactly(id(1));
		assertThat(claim.rest().ready()).isOne();
		assertRepeatable(() -> this.queue.claimSuspect(PROCESS, 1));
	}

	@Test
	void claimWhenThereIsNoSuspectGivesNothing() {
		this.queue.enqueue(2);
		assertThat(this.queue.claimSuspect(PROCESS, 1).jobs()).isEmpty();
	}

	@Test
	void requeueKeepsItASuspect() {
		claimed();
		this.queue.enqueue(2, 3);
		this.queue.claim(PROCESS, 2, 2, 200);
		this.queue.requeue(PROCESS, id(1), token(1), id(2), token(2), id(3), token(2));
		assertApart(2, 3);
	}

	@Test
	void retryKeepsItASuspect() {
		claimed();
		this.queue.enqueue(2);
		this.queue.claim(PROCESS, 2, 1, 200);
		this.queue.retry(1, 1, 0);
		this.queue.retry(2, 2, 0);
		Awaitility.await().until(() -> {
			this.queue.claim(PROCESS, this.queue.now(), 0, 200);
			return !this.queue.has("retries");
		});
		assertApart(2);
	}

	@Test
	void unparkKeepsItASuspect() {
		claimed();
		this.queue.enqueue(2);
		this.queue.claim(PROCESS, 2, 1, 200);
		this.queue.park(1, 1, "unknown:x");
		this.queue.park(2, 2, "unknown:x");
		this.queue.unpark("0", 100, "unknown:x");
		assertApart(2);
	}

	@Test
	void endOfAnEqualJobKeepsItASuspect() {
		this.queue.enqueue(locked(2, LockKind.WHILE_EXECUTING, D), locked(1, LockKind.WHILE_EXECUTING, D));
		this.queue.claim(PROCESS, 1, 2, 200);
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1));
		blame();
		this.queue.acknowledge(PROCESS, id(2), token(1));
		assertApart();
	}

	@Test
	void recoveryOfAProcessThatStoppedKeepsItASuspect() {
		claimed();
		this.queue.beat(PROCESS, false, "stopping");
		this.queue.recover(PROCESS, "2", 1000, 3);
		assertApart();
	}

	@Test
	void requeueWhenThereIsNoPlaceForSuspectsGivesItBackAllTheSame() {
		claimed();
		this.queue.spoil(this.queue.key("suspects"));
		this.queue.requeue(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(1));
	}

	private void suspects(int... jobs) {
		blame();
		this.queue.enqueue(jobs);
		this.queue.template().delete(this.queue.key("ready"));
		for (int job : jobs) {
			this.queue.put("suspects", job);
		}
	}

	/**
	 * Let the process claim the suspect.
	 */
	private void claimed() {
		suspects(1);
		assertThat(this.queue.claimSuspect(PROCESS, 1).jobs()).hasSize(1);
	}

	private void blame() {
		this.queue.template().opsForHash().put(this.queue.key("crashes"), id(1), "2 1700000000000 q2 alone");
	}

	private void assertApart(int... others) {
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
		assertThat(this.queue.ready()).containsExactlyInAnyOrder(ids(others));
		assertThat(this.queue.hash("working")).isEqualTo(Map.of());
	}

}
