package io.github.steadyjobs.client;

import java.util.Map;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.client.LockKind.WITHIN;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.holder;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code cancel.lua}.
 */
class CancelScriptIntegrationTests extends AbstractScriptTests {

	CancelScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void cancelWhenReadyLeavesIdForTheNextClaimToDrop() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.set("cancelled")).containsExactly(id(1));
		assertThat(this.queue.take(2)).extracting(Taken::id).containsExactly(id(2));
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	@Test
	void cancelWhenScheduledRemovesJob() {
		this.queue.enqueue(job(1, HOUR), job(2, HOUR));
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(2));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	@Test
	void cancelWhenWaitingForRetryRemovesJob() {
		this.queue.working(1);
		this.queue.retry(1, 1, HOUR);
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.contents()).doesNotContainKeys("retries", "payloads", "cancelled");
	}

	@Test
	void cancelWhenParkedRemovesJob() {
		this.queue.working(1);
		this.queue.park(1, 1, "unknown:Mail.send");
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.contents()).doesNotContainKeys("parked", "payloads", "cancelled");
	}

	@Test
	void cancelWhenRunningMarksJob() {
		this.queue.working(1);
		assertThat(this.queue.cancel(1)).isEqualTo("RUNNING");
		assertThat(this.queue.hash("working")).isEqualTo(Map.of(id(1), holder(1)));
		assertThat(this.queue.has("payloads")).isFalse();
		assertThat(this.queue.set("cancelled")).containsExactly(id(1));
	}

	@Test
	void cancelWhenRunIsToBeInterruptedNotesItOnceForItsProcess() {
		this.queue.working(1, 2);
		assertThat(this.queue.cancelAndInterrupt(1)).isEqualTo("RUNNING");
		assertRepeatable(() -> this.queue.cancelAndInterrupt(1));
		this.queue.cancel(2);
		assertThat(this.queue.hash("claims")).doesNotContainEntry(PROCESS + "/!", " " + id(2) + " " + token(2))
			.containsEntry(PROCESS + "/!", " " + id(1) + " " + token(1));
		assertThat(this.queue.cancelAndInterrupt(2)).isEqualTo("RUNNING");
		assertThat(this.queue.hash("claims")).containsEntry(PROCESS + "/!",
				" " + id(1) + " " + token(1) + " " + id(2) + " " + token(2));
	}

	@Test
	void cancelWhenNothingRunsNotesNoInterrupt() {
		this.queue.enqueue(1);
		assertThat(this.queue.cancelAndInterrupt(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.cancelAndInterrupt(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.cancelAndInterrupt(2)).isEqualTo("GONE");
		assertThat(this.queue.has("claims")).isFalse();
	}

	@Test
	void cancelWhenDeadLeavesJobAlone() {
		this.queue.working(1);
		this.queue.bury(1, 1, 10, HOUR);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.cancel(1)).isEqualTo("DEAD");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void cancelWhenThereIsNoSuchJobWritesNothing() {
		assertThat(this.queue.cancel(1)).isEqualTo("GONE");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void cancelWhenJobHasEndedAnswersGone() {
		this.queue.working(1);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.cancel(1)).isEqualTo("GONE");
	}

	@Test
	void cancelWhenReadyAndRepeatedAnswersTheSame() {
		this.queue.enqueue(1);
		assertRepeatable(() -> assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED"));
	}

	@Test
	void cancelWhenRunningAndRepeatedAnswersTheSame() {
		this.queue.working(1);
		assertRepeatable(() -> assertThat(this.queue.cancel(1)).isEqualTo("RUNNING"));
	}

	@Test
	void cancelWhenScheduledAndRepeatedChangesNothing() {
		this.queue.enqueue(job(1, HOUR));
		assertRepeatable(() -> this.queue.cancel(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "scheduled", "parked" })
	void cancelWhenLockedWithinAndNotBegunLetsEqualOnesIn(String where) {
		this.queue.join(PROCESS);
		NewJob window = locked(1, WITHIN, "d");
		this.queue.enqueue(new NewJob(id(1), window.payload(), where.equals("scheduled") ? HOUR : null, window.lock(),
				null, null));
		if (where.equals("parked")) {
			this.queue.claim(1);
			this.queue.park(1, 1, "unknown:job");
		}
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertRepeatable(() -> this.queue.cancel(1));
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof", "windows");
		assertThat(this.queue.enqueue(locked(2, WITHIN, "d"))).isEqualTo("S");
		this.queue.cancel(1);
		assertThat(this.queue.enqueue(locked(3, WITHIN, "d"))).isEqualTo("D " + id(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { "failed", "crashed", "runs", "ended" })
	void cancelWhenLockedWithinAndBegunKeepsEqualOnesOut(String how) {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WITHIN, "d"));
		this.queue.claim(1);
		switch (how) {
			case "failed" -> this.queue.retry(1, 1, HOUR);
			case "crashed" -> this.queue.recover(PROCESS);
			case "ended" -> this.queue.acknowledge(PROCESS, id(1), token(1));
			default -> {
			}
		}
		this.queue.cancel(1);
		if (how.equals("runs")) {
			this.queue.acknowledge(PROCESS, id(1), token(1));
		}
		assertThat(this.queue.enqueue(locked(2, WITHIN, "d"))).isEqualTo("D " + id(1));
		assertThat(this.queue.sorted("windows")).containsExactly("d");
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks", "windows" })
	void cancelWhenLocksAreDamagedEndsTheJobAllTheSame(String damaged) {
		this.queue.enqueue(locked(1, WITHIN, "d"));
		this.queue.spoil(this.queue.key(damaged));
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void cancelWhenWindowIsAnotherOnesByNowLeavesIt() {
		this.queue.enqueue(locked(1, WITHIN, "d"));
		this.queue.set("locks", "d", ScriptFixture.lock(9, this.queue.now() + HOUR, WITHIN));
		this.queue.cancel(1);
		assertThat(this.queue.enqueue(locked(2, WITHIN, "d"))).isEqualTo("D " + id(9));
		assertThat(this.queue.sorted("windows")).containsExactly("d");
	}

	@Test
	void cancelWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.CANCEL, (queue) -> queue.enqueue(1), (queue) -> queue.cancel(1),
				fate("working", "dead", "cancelled", "backlog", "backlogged"));
	}

}
