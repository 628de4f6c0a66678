package io.github.steadyjobs.admin;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.steadyjobs.admin.AdminScripts.releaseLock;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.client.LockKind.WITHIN;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.lock;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code release-lock.lua}.
 */
class ReleaseLockScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	ReleaseLockScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "WITHIN" })
	void releaseLockWhenJobHasTheLockLetsEqualOnesIn(LockKind kind) {
		this.queue.enqueue(locked(1, kind, D));
		assertThat(releaseLock(this.queue, D, 1)).isEqualTo("RELEASED");
		assertRepeatable(() -> assertThat(releaseLock(this.queue, D, 1)).isEqualTo("NOT_LOCKED"));
		assertThat(this.queue.has("windows")).isFalse();
		assertThat(this.queue.hash("lockof")).containsKey(id(1));
		assertThat(this.queue.enqueue(locked(2, kind, D))).isEqualTo("S");
	}

	@Test
	void releaseLockWhenItIsRepeatedLateLeavesTheNextLock() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		releaseLock(this.queue, D, 1);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED, D));
		assertRepeatable(() -> assertThat(releaseLock(this.queue, D, 1)).isEqualTo("CHANGED"));
		assertThat(this.queue.enqueue(locked(3, UNTIL_EXECUTED, D))).isEqualTo("D " + id(2));
	}

	@Test
	void endWhenLockWasReleasedAndTakenLeavesTheNextLock() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		this.queue.claim(1);
		releaseLock(this.queue, D, 1);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED, D));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.enqueue(locked(3, UNTIL_EXECUTED, D))).isEqualTo("D " + id(2));
	}

	@Test
	void releaseLockWhenDuplicateIsToRunOnceMoreKeepsItUntilTheEnd() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.claim(1);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		assertThat(releaseLock(this.queue, D, 1)).isEqualTo("RELEASED");
		assertThat(this.queue.hash("again")).containsOnlyKeys(D);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("again")).isFalse();
	}

	@Test
	void releaseLockWhenJobsWaitForMutexLetsOneGoOn() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D));
		this.queue.claim(3);
		this.queue.template().delete(this.queue.key("wake"));
		assertThat(releaseLock(this.queue, D, 2)).isEqualTo("CHANGED");
		assertThat(releaseLock(this.queue, D, 1)).isEqualTo("RELEASED");
		assertThat(this.queue.list("wake")).hasSize(1);
		assertRepeatable(() -> assertThat(releaseLock(this.queue, D, 1)).isEqualTo("CHANGED"));
		assertThat(this.queue.take(3)).extracting(Taken::id).containsExactly(id(2));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(3));
		this.queue.acknowledge(PROCESS, id(2), token(2));
		assertThat(this.queue.ready()).containsExactly(id(3));
	}

	@Test
	void releaseLockWhenNobodyWaitsForMutexForgetsIt() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D));
		this.queue.claim(1);
		assertThat(releaseLock(this.queue, D, 1)).isEqualTo("RELEASED");
		assertThat(this.queue.has("mutexes")).isFalse();
	}

	@Test
	void releaseLockWhenNothingIsLockedWritesNothing() {
		assertThat(releaseLock(this.queue, D, 1)).isEqualTo("NOT_LOCKED");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void releaseLockWhenKeyHasWrongTypeFailsAndWritesNothing() {
		assertRefusesWrongTypes(JobLocks.RELEASE_LOCK, (given) -> {
			given.join(PROCESS);
			given.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D));
			given.claim(2);
			given.enqueue(locked(3, WITHIN, D));
			given.set("locks", D, lock(1, given.now(), WITHIN));
		}, (given) -> releaseLock(given, D, 1), fate("locks", "mutexes"));
	}

}
