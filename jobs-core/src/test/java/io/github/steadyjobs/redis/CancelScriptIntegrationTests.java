package io.github.steadyjobs.redis;

import java.util.Map;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.HOUR;
import static io.github.steadyjobs.redis.ScriptFixture.holder;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.ids;
import static io.github.steadyjobs.redis.ScriptFixture.job;
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
		this.queue.join(ScriptFixture.PROCESS);
		this.queue.enqueue(1, 2);
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.set("cancelled")).containsExactly(id(1));
		assertThat(this.queue.claim(2).jobs()).extracting(ClaimedJob::id).containsExactly(id(2));
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
		this.queue.acknowledge(ScriptFixture.PROCESS, id(1), ScriptFixture.token(1));
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

	@Test
	void cancelWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(JobScript.CANCEL, (queue) -> queue.enqueue(1), (queue) -> queue.cancel(1), "crashes");
	}

}
