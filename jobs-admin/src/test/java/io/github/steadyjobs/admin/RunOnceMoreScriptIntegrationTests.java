package io.github.steadyjobs.admin;

import java.util.Map;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.admin.AdminScripts.releaseLock;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.WITHIN;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.lock;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests that a dropped duplicate causes another run where one is required, and that this
 * run takes place, in the scripts that enqueue and settle jobs. At the start of most
 * tests, job 1 is running.
 */
class RunOnceMoreScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	RunOnceMoreScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	// Promises

	@ParameterizedTest
	@CsvSource({ "UNTIL_EXECUTED, R", "UNTIL_EXECUTED_AND_ONCE_MORE, R", "WITHIN, D" })
	void enqueueWhenHolderRunsPromisesOneMoreIfItsEndMakesUpForIt(LockKind kind, String letter) {
		running(this.queue, kind, "");
		assertThat(this.queue.enqueue(newest(2))).isEqualTo(letter + " " + id(1));
		assertThat(this.queue.has("again")).isEqualTo(letter.equals("R"));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).hasSize(letter.equals("R") ? 1 : 0);
		assertThat(this.queue.has("again")).isFalse();
	}

	@Test
	void enqueueWhenDelayedAndHolderRunsSchedulesBesideTheOneMore() {
		running(this.queue, UNTIL_EXECUTED_AND_ONCE_MORE, "a=01");
		assertRepeatable(() -> assertThat(this.queue.enqueueCall("p/7", 1, delayed(2, "a=05"))).isEqualTo("S"));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(2));
		assertThat(this.queue.has("again")).isFalse();
		assertThat(this.queue.enqueue(newest(3), delayed(4, ""))).isEqualTo("RS " + id(1));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.take(1)).extracting(Taken::id, Taken::positions).containsExactly(tuple(id(3), "a=01"));
		this.queue.cancel(2);
		this.queue.cancel(4);
		assertThat(this.queue.hash("locks").get(D)).startsWith(id(3));
		this.queue.acknowledge(PROCESS, id(3), token(2));
		assertNothingIsLeft();
	}

	@Test
	void enqueueWhenDelayedAndHolderWaitsDropsIt() {
		this.queue.enqueue(newest(1));
		assertThat(this.queue.enqueue(delayed(2, ""))).isEqualTo("D " + id(1));
		assertThat(this.queue.has("scheduled")).isFalse();
	}

	// Locks that are taken over

	@ParameterizedTest
	@ValueSource(strings = { "X", "T" })
	@DisplayName("a job that takes over a lock replaces the duplicate that was to run, and takes all of its positions")
	void enqueueWhenLockIsTakenOverCoversTheOneMore(String how) {
		runningWithOneMore(this.queue);
		takeAway(how);
		assertRepeatable(() -> assertThat(this.queue.enqueueCall("p/7", 1, at(3, "a=07;b=02"), newest(4)))
			.isEqualTo(how + "D " + id(3)));
		assertThat(this.queue.has("again")).isFalse();
		if (how.equals("X")) {
			this.queue.acknowledge(PROCESS, id(1), token(1));
		}
		assertThat(this.queue.take(5)).extracting(Taken::id, Taken::positions)
			.containsExactly(tuple(id(3), "a=09;b=02"));
		this.queue.acknowledge(PROCESS, id(3), token(2));
		this.queue.template().opsForHash().delete(this.queue.key("lockof"), id(1));
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "WITHIN" })
	void enqueueWhenLockIsTakenOverByAnotherKindCoversTheOneMore(LockKind kind) {
		runningWithOneMore(this.queue);
		takeAway("X");
		assertThat(this.queue.enqueue(locked(3, kind, D))).isEqualTo("X");
		assertThat(this.queue.has("again")).isFalse();
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(3));
	}

	@Test
	void enqueueWhenDelayedAndLockHasExpiredLeavesTheOneMoreToTheEnd() {
		runningWithOneMore(this.queue);
		takeAway("X");
		assertThat(this.queue.enqueue(delayed(3, ""))).isEqualTo("S");
		assertThat(this.queue.hash("again")).containsOnlyKeys(D);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.take(1)).extracting(Taken::id, Taken::positions).containsExactly(tuple(id(2), "a=09"));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(3));
		assertThat(this.queue.enqueue(newest(4))).isEqualTo("R " + id(2));
	}

	@Test
	void enqueueWhenLockIsTakenOverAndTypeIsWrongStoresNothing() {
		assertRefusesWrongTypes(ScriptFixture.ENQUEUE, (queue) -> {
			runningWithOneMore(queue);
			queue.set("locks", D, lock(1, queue.now(), UNTIL_EXECUTED_AND_ONCE_MORE));
			queue.enqueue(locked(5, UNTIL_EXECUTED, "other"));
			queue.claim(1);
		}, (queue) -> queue.enqueue(newest(3), locked(4, WITHIN, "window"),
				locked(6, UNTIL_EXECUTED_AND_ONCE_MORE, "other")), "calls", "payloads", "ready", "locks", "lockof",
				"again", "working", "windows");
	}

	// Locks that were released

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "WITHIN" })
	@DisplayName("the promised run takes place, whichever job holds the lock at its end")
	void endWhenAnotherKindHasTheLockByNowRunsOnceMore(LockKind kind) {
		runningWithOneMore(this.queue);
		releaseLock(this.queue, D, 1);
		assertThat(this.queue.enqueue(locked(3, kind, D))).isEqualTo("S");
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.hash("again")).containsOnlyKeys(D);
		assertThat(this.queue.take(1)).extracting(Taken::id).containsExactly(id(3));
		this.queue.acknowledge(PROCESS, id(3), token(2));
		assertThat(this.queue.take(1)).extracting(Taken::id).containsExactly(id(2));
		this.queue.acknowledge(PROCESS, id(2), token(3));
		this.queue.template().delete(this.queue.key("windows"));
		assertNothingIsLeft();
	}

	// Retries

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTED", "UNTIL_EXECUTED_AND_ONCE_MORE" })
	@DisplayName("GL-12: with 'until executed', a lock lasts through all retries, however late the next one is")
	void retryWhenLockedUntilExecutedLocksUntilDueAndTtl(LockKind kind) {
		running(this.queue, kind, "");
		long week = 7 * 24 * HOUR;
		this.queue.retry(1, 1, week);
		assertThat(expiry()).isEqualTo(this.queue.score("retries", 1).longValue() + HOUR);
		assertThat(this.queue.hash("locks").get(D)).isEqualTo(lock(1, expiry(), kind));
		assertRepeatable(() -> assertThat(this.queue.retry(1, 1, 2 * week)).isEqualTo("A"));
	}

	@Test
	void retryWhenPutOffLocksUntilDueAndTtl() {
		running(this.queue, UNTIL_EXECUTED, "");
		this.queue.settle(PROCESS, "putoff", 1, token(1), "", 9 * HOUR);
		assertThat(expiry()).isEqualTo(this.queue.score("retries", 1).longValue() + HOUR);
	}

	@Test
	void retryWhenLockLastsLongerLeavesIt() {
		running(this.queue, UNTIL_EXECUTED, "");
		String lock = lock(1, this.queue.now() + 9 * HOUR, UNTIL_EXECUTED);
		this.queue.set("locks", D, lock);
		this.queue.retry(1, 1, HOUR);
		assertThat(this.queue.hash("locks")).isEqualTo(Map.of(D, lock));
	}

	@Test
	void retryWhenLockHasExpiredAndNobodyTookItRenewsIt() {
		running(this.queue, UNTIL_EXECUTED, "");
		this.queue.set("locks", D, lock(1, this.queue.now() - HOUR, UNTIL_EXECUTED));
		this.queue.retry(1, 1, HOUR);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("D " + id(1));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void retryWhenLockIsNotItsOwnLeavesItAlone(boolean another) {
		running(this.queue, UNTIL_EXECUTED, "");
		releaseLock(this.queue, D, 1);
		if (another) {
			this.queue.enqueue(locked(2, UNTIL_EXECUTED, D));
		}
		Map<String, String> before = this.queue.hash("locks");
		this.queue.retry(1, 1, 9 * HOUR);
		assertThat(this.queue.hash("locks")).isEqualTo(before).hasSize(another ? 1 : 0);
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "WITHIN" })
	void retryWhenLockEndsAtATimeOrTheStartDoesNotProlongIt(LockKind kind) {
		running(this.queue, kind, "");
		Map<String, String> before = this.queue.hash("locks");
		this.queue.retry(1, 1, 9 * HOUR);
		assertThat(this.queue.hash("locks")).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "neither id nor time", "" })
	void retryWhenLockCannotBeReadGoesOn(String damaged) {
		running(this.queue, UNTIL_EXECUTED, "");
		this.queue.set("locks", D, damaged);
		assertThat(this.queue.retry(1, 1, HOUR)).isEqualTo("D");
		assertThat(this.queue.hash("locks")).isEqualTo(Map.of(D, damaged));
	}

	private void takeAway(String how) {
		if (how.equals("T")) {
			this.queue.template().opsForHash().delete(this.queue.key("working"), id(1));
			this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
		}
		else {
			this.queue.set("locks", D, lock(1, this.queue.now(), UNTIL_EXECUTED_AND_ONCE_MORE));
		}
	}

	/**
	 * Let job 1 run, and enqueue its duplicate, job 2, which has newer data.
	 */
	private static void runningWithOneMore(ScriptFixture queue) {
		running(queue, UNTIL_EXECUTED_AND_ONCE_MORE, "a=05");
		assertThat(queue.enqueue(at(2, "a=09"))).isEqualTo("R " + id(1));
	}

	private static void running(ScriptFixture queue, LockKind kind, String positions) {
		queue.join(PROCESS);
		queue.enqueue(
				new NewJob(id(1), bytes(payload(1)), null, (kind.lock(HOUR, D) + " " + positions).trim(), null, null));
		queue.claim(1);
	}

	private static NewJob newest(int job) {
		return locked(job, UNTIL_EXECUTED_AND_ONCE_MORE, D);
	}

	private static NewJob at(int job, String positions) {
		return new NewJob(id(job), bytes(payload(job)), null,
				(UNTIL_EXECUTED_AND_ONCE_MORE.lock(HOUR, D) + " " + positions).trim(), null, null);
	}

	private static NewJob delayed(int job, String positions) {
		NewJob now = at(job, positions);
		return new NewJob(now.id(), now.payload(), 9 * HOUR, now.lock(), null, null);
	}

	private long expiry() {
		String lock = this.queue.hash("locks").get(D);
		return Long.parseLong(lock.substring(24, lock.length() - 1), 16);
	}

	private void assertNothingIsLeft() {
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof", "again", "windows", "payloads");
	}

}
