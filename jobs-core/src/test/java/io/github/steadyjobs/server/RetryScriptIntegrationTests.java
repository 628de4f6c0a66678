package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@code settle.lua} with jobs that are retried.
 */
class RetryScriptIntegrationTests extends AbstractScriptTests {

	RetryScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void retryWhenJobIsHeldMovesItWithItsNewPayload() {
		this.queue.working(1);
		assertThat(this.queue.retry(1, 1, 60_000)).isEqualTo("D");
		assertThat(this.queue.has("working")).isFalse();
		assertThat(this.queue.score("retries", 1)).isCloseTo(this.queue.now() + 60_000, within(10_000.0));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1) + ", failed"));
		assertThat(this.queue.stat("failed")).isEqualTo(1);
	}

	@Test
	void retryWhenJobBecomesTheEarliestLeavesToken() {
		this.queue.working(1, 2, 3);
		this.queue.retry(1, 1, 60_000);
		assertThat(this.queue.list("wake")).containsExactly("1");
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.retry(2, 2, 120_000);
		assertThat(this.queue.has("wake")).isFalse();
		this.queue.retry(3, 3, 30_000);
		assertThat(this.queue.list("wake")).containsExactly("1");
		assertThat(this.queue.sorted("retries")).containsExactly(ids(3, 1, 2));
	}

	@Test
	void retryWhenJobAskedForItCountsItApart() {
		this.queue.working(1);
		assertThat(this.queue.snooze(1, 1, 60_000)).isEqualTo("D");
		assertThat(this.queue.score("retries", 1)).isCloseTo(this.queue.now() + 60_000, within(10_000.0));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1) + ", snoozed"));
		assertThat(this.queue.hash("stats")).isEqualTo(Map.of("snoozed", "1"));
		assertRepeatable(() -> assertThat(this.queue.snooze(1, 1, 60_000)).isEqualTo("A"));
	}

	@Test
	void retryWhenTokenIsThereLeavesNoSecondOne() {
		this.queue.working(1, 2);
		this.queue.retry(1, 1, 60_000);
		this.queue.retry(2, 2, 30_000);
		assertThat(this.queue.list("wake")).containsExactly("1");
	}

	@Test
	void retryWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.retry(1, 1, 60_000)).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "retries", "cancelled");
		assertThat(this.queue.stat("failed")).isEqualTo(1);
	}

	@Test
	void retryWhenTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.retry("p2", 1, token(1), 1)).isEqualTo("S");
		assertThat(this.queue.retry(PROCESS, 1, token(2), 1)).isEqualTo("S");
		assertThat(this.queue.retry(PROCESS, 1, "other/1", 1)).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void retryWhenJobWasClaimedAgainAnswersStale() {
		this.queue.working(1);
		this.queue.requeue(PROCESS, id(1), token(1));
		this.queue.claim(1);
		assertThat(this.queue.retry(1, 1, 1)).isEqualTo("S");
		assertThat(this.queue.retry(1, 2, 1)).isEqualTo("D");
	}

	@Test
	void retryWhenQueueIsEmptyAnswersAlready() {
		assertThat(this.queue.retry(1, 1, 1)).isEqualTo("A");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void retryWhenRepeatedChangesNothing() {
		this.queue.working(1);
		assertRepeatable(() -> this.queue.retry(1, 1, 60_000));
		assertThat(this.queue.retry(1, 1, 60_000)).isEqualTo("A");
	}

	@Test
	void retryWhenRepeatedAfterJobRanAgainAnswersStale() {
		this.queue.working(1);
		this.queue.retry(1, 1, 0);
		this.queue.claim(1);
		assertThat(this.queue.retry(1, 1, HOUR)).isEqualTo("S");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1));
	}

	@Test
	void retryWhenAnotherQueueIsToRunItParksItOnItsWay() {
		this.queue.working(1);
		assertThat(this.queue.retryIn(1, 1, 60_000, "slow")).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "retries", "wake");
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1) + ", failed"));
		assertThat(this.queue.hash("stats")).isEqualTo(Map.of("failed", "1"));
		Matcher moving = Pattern.compile("moving:slow retries (\\d+) (\\d+)")
			.matcher(this.queue.hash("parked").get(id(1)));
		assertThat(moving.matches()).isTrue();
		assertThat(Double.parseDouble(moving.group(1))).isCloseTo(this.queue.now() + 60_000, within(10_000.0));
		assertThat(Double.parseDouble(moving.group(2)) / 1000).isCloseTo(this.queue.now(), within(10_000.0));
	}

	@Test
	void retryWhenAnotherQueueIsToRunItIsRepeatableAndCounts() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.retryIn(1, 2, 60_000, "slow")).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
		assertRepeatable(() -> this.queue.retryIn(1, 1, 60_000, "slow"));
		assertThat(this.queue.retryIn(1, 1, 60_000, "slow")).isEqualTo("A");
	}

	@Test
	void retryWhenJobMayHaveKilledAProcessKeepsItInItsQueue() {
		this.queue.working(1);
		this.queue.set("crashes", id(1), "1");
		assertThat(this.queue.retryIn(1, 1, 60_000, "slow")).isEqualTo("D");
		assertThat(this.queue.sorted("retries")).containsExactly(id(1));
		assertThat(this.queue.has("parked")).isFalse();
	}

	@Test
	void retryWhenCancelledJobWasToRunInAnotherQueueEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.retryIn(1, 1, 60_000, "slow")).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "parked", "cancelled");
		assertThat(this.queue.stat("failed")).isEqualTo(1);
		assertThat(this.queue.stat("parked")).isZero();
	}

	@Test
	void retryWhenLockedJobLeavesKeepsEqualOnesOutUntilItHasArrived() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.UNTIL_EXECUTED, "d"));
		this.queue.claim(1);
		List<Object> way = this.queue.settling(PROCESS, "failed", 1, token(1), "failed", 24 * HOUR, "slow");
		Matcher moving = Pattern.compile("moving:slow retries (\\d+) (\\d+)")
			.matcher(this.queue.hash("parked").get(id(1)));
		assertThat(moving.matches()).isTrue();
		assertThat(way).extracting(Answers::utf8)
			.containsExactly("D", moving.group(2), "retries", moving.group(1), this.queue.hash("lockof").get(id(1)));
		String lock = this.queue.hash("locks").get("d");
		assertThat(Long.parseLong(lock.substring(24, lock.length() - 1), 16))
			.isGreaterThan(this.queue.now() + 24 * HOUR);
		assertThat(this.queue.enqueue(locked(2, LockKind.UNTIL_EXECUTED, "d"))).isEqualTo("D " + id(1));
	}

	@Test
	void retryWhenTypeIsWrongForAnotherQueueRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> queue.working(1),
				(queue) -> queue.retryIn(1, 1, 1, "slow"), fate("working"));
	}

	@Test
	void retryWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> queue.working(1), (queue) -> queue.retry(1, 1, 1),
				fate("working"));
	}

}
