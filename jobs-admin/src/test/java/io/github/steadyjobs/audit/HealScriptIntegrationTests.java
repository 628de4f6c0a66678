package io.github.steadyjobs.audit;

import java.util.Map;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.audit.AuditScripts.heal;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.client.LockKind.WITHIN;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.lock;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code heal.lua}.
 */
class HealScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	HealScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void healWhenJobIsGoneRemovesWhatIsKeptForIt() {
		String lock = lock(1, this.queue.now() + HOUR, UNTIL_EXECUTED);
		this.queue.set("locks", D, lock);
		this.queue.set("lockof", id(1), "e36ee80 " + D);
		mutex(D + "=" + id(1));
		mutex(D + ":" + id(1));
		for (int time = 0; time < 2; time++) {
			assertThat(heal(this.queue, "locks", D, lock)).isEqualTo(1 - time);
			assertThat(heal(this.queue, "lockof", id(1), "e36ee80 " + D)).isEqualTo(1 - time);
			assertThat(heal(this.queue, "mutexes", D + "=" + id(1), "0")).isEqualTo(1 - time);
			assertThat(heal(this.queue, "mutexes", D + ":" + id(1), "0")).isEqualTo(1 - time);
		}
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void healWhenAllIsInUseWritesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D), locked(2, WHILE_EXECUTING, "m"),
				locked(3, WHILE_EXECUTING, "m"));
		this.queue.claim(3);
		this.queue.enqueue(locked(4, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.cancel(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(heal(this.queue, "locks", D, this.queue.hash("locks").get(D))).isZero();
		assertThat(heal(this.queue, "lockof", id(1), this.queue.hash("lockof").get(id(1)))).isZero();
		assertThat(heal(this.queue, "again", D, id(4) + " 36ee80 ")).isZero();
		assertThat(heal(this.queue, "mutexes", "m=" + id(2), "0")).isZero();
		assertThat(heal(this.queue, "mutexes", "m:" + id(3), "0")).isZero();
		assertThat(heal(this.queue, "parked", id(3), "mutex:m")).isZero();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void healWhenValueIsAnotherByNowWritesNothing() {
		this.queue.set("locks", D, lock(1, 1_700_000_000_000L, UNTIL_EXECUTED));
		assertThat(heal(this.queue, "locks", D, lock(2, 1_700_000_000_000L, UNTIL_EXECUTED))).isZero();
		this.queue.set("again", D, id(1) + " 36ee80 payload");
		assertThat(heal(this.queue, "again", D, id(2) + " 36ee80 ")).isZero();
	}

	@Test
	void healWhenWindowIsOverAndForgottenRemovesTheLock() {
		String over = lock(1, 1_700_000_000_000L, WITHIN);
		this.queue.set("locks", D, over);
		this.queue.template().opsForZSet().add(this.queue.key("windows"), D, 1_700_000_000_000L);
		assertThat(heal(this.queue, "locks", D, over)).isZero();
		this.queue.template().delete(this.queue.key("windows"));
		assertRepeatable(() -> heal(this.queue, "locks", D, over));
		String open = lock(1, this.queue.now() + HOUR, WITHIN);
		this.queue.set("locks", D, open);
		assertThat(heal(this.queue, "locks", D, open)).isZero();
	}

	@Test
	void healWhenJobIsDeadRemovesItsLock() {
		this.queue.working(1);
		this.queue.bury(1, 1, 10, HOUR);
		this.queue.set("locks", D, lock(1, 1_700_000_000_000L, UNTIL_EXECUTED));
		assertThat(heal(this.queue, "locks", D, lock(1, 1_700_000_000_000L, UNTIL_EXECUTED))).isOne();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void healWhenDuplicateIsLostMakesItAJobOnce(boolean lockIsThere) {
		if (lockIsThere) {
			this.queue.set("locks", D, lock(9, this.queue.now() + HOUR, UNTIL_EXECUTED));
		}
		this.queue.set("again", D, id(1) + " 36ee80 " + payload(1));
		assertRepeatable(() -> heal(this.queue, "again", D, id(1) + " 36ee80 "));
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.list("wake")).hasSize(1);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D))).isEqualTo("D " + id(1));
		this.queue.join(PROCESS);
		assertThat(this.queue.take(1)).extracting((job) -> new String(job.payload())).containsExactly(payload(1));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof", "again");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nobody has it", "one that is gone has it", "not among those that wait" })
	void healWhenJobWaitsForNobodyMakesItReady(String why) {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D));
		this.queue.claim(2);
		if (why.startsWith("not")) {
			this.queue.template().opsForZSet().remove(this.queue.key("mutexes"), D + ":" + id(2));
		}
		else {
			this.queue.template().opsForZSet().remove(this.queue.key("mutexes"), D + "=" + id(1));
		}
		if (why.startsWith("one")) {
			mutex(D + "=" + id(9));
		}
		assertRepeatable(() -> heal(this.queue, "parked", id(2), "mutex:" + D));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("parked")).isFalse();
		assertThat(this.queue.sorted("mutexes")).doesNotContain(D + ":" + id(2));
	}

	@Test
	void healWhenKeyHasWrongTypeFailsAndWritesNothing() {
		assertRefusesWrongTypes(AuditStore.HEAL, (given) -> {
			given.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, "other"));
			given.set("again", D, id(1) + " 36ee80 " + payload(1));
		}, (given) -> heal(given, "again", D, id(1) + " 36ee80 "),
				fate("locks", "again", "mutexes", "windows", "working", "dead", "cancelled", "backlog", "backlogged"));
	}

	private void mutex(String member) {
		this.queue.template().opsForZSet().add(this.queue.key("mutexes"), member, 0);
	}

}
