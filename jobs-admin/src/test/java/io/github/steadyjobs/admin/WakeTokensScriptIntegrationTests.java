package io.github.steadyjobs.admin;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.steadyjobs.admin.AdminScripts.releaseLock;
import static io.github.steadyjobs.audit.AuditScripts.heal;
import static io.github.steadyjobs.audit.AuditScripts.repair;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for all scripts that leave wake tokens for workers: a call leaves at most three
 * tokens, however many there were before, and no token if the queue is paused.
 */
class WakeTokensScriptIntegrationTests extends AbstractScriptTests {

	private static final Map<String, Consumer<ScriptFixture>> CALLS = calls();

	WakeTokensScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@ParameterizedTest
	@MethodSource
	void leaveTokensWhenSomeAreThereAddsUpToThree(String call, int before, int after) {
		givenRunning();
		tokens(before);
		CALLS.get(call).accept(this.queue);
		assertThat(this.queue.list("wake")).hasSize(after);
	}

	static Stream<Object[]> leaveTokensWhenSomeAreThereAddsUpToThree() {
		return CALLS.keySet().stream().flatMap((call) -> {
			int one = call.endsWith("several") ? 3 : 1;
			return Stream.of(new Object[] { call, 0, one }, new Object[] { call, 2, Math.max(2, one) },
					new Object[] { call, 3, 3 }, new Object[] { call, 33, 3 });
		});
	}

	@ParameterizedTest
	@MethodSource("names")
	void leaveTokensWhenQueueIsPausedLeavesNone(String call) {
		givenRunning();
		tokens(0);
		this.queue.pause();
		CALLS.get(call).accept(this.queue);
		assertThat(this.queue.has("wake")).isFalse();
	}

	static Stream<String> names() {
		return CALLS.keySet().stream();
	}

	/**
	 * Prepare jobs: 1, 3 and 5 to 9 are running, and 10 to 12 are ready. Job 2 is a
	 * duplicate of job 1 that causes another run; job 4 waits for job 3.
	 */
	private void givenRunning() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, "d"), locked(3, WHILE_EXECUTING, "m"),
				locked(4, WHILE_EXECUTING, "m"), job(5), job(6), job(7), job(8), job(9));
		this.queue.claim(8);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, "d"), job(10), job(11), job(12));
	}

	private void tokens(int count) {
		this.queue.template().delete(this.queue.key("wake"));
		if (count > 0) {
			this.queue.template().opsForList().leftPushAll(this.queue.key("wake"), Collections.nCopies(count, "1"));
		}
	}

	private static Map<String, Consumer<ScriptFixture>> calls() {
		Map<String, Consumer<ScriptFixture>> calls = new TreeMap<>();
		calls.put("enqueue", (queue) -> queue.enqueue(20));
		calls.put("enqueue several", (queue) -> queue.enqueue(20, 21, 22, 23, 24));
		calls.put("enqueue delayed", (queue) -> queue.enqueue(job(20, HOUR)));
		calls.put("claim", (queue) -> queue.claim(1));
		calls.put("acknowledge, one more", (queue) -> queue.acknowledge(PROCESS, id(1), token(1)));
		calls.put("acknowledge, mutex", (queue) -> queue.acknowledge(PROCESS, id(3), token(1)));
		calls.put("retry", (queue) -> queue.retry(5, 1, HOUR));
		calls.put("retry, mutex", (queue) -> queue.retry(3, 1, HOUR));
		calls.put("bury", (queue) -> queue.bury(1, 1, 10, HOUR));
		calls.put("park", (queue) -> queue.park(3, 1, "unknown:job"));
		calls.put("requeue", (queue) -> queue.requeue(PROCESS, id(5), token(1)));
		calls.put("requeue several",
				(queue) -> queue.requeue(PROCESS, id(3), token(1), id(5), token(1), id(6), token(1), id(7), token(1)));
		calls.put("recover several", (queue) -> queue.recover(PROCESS));
		calls.put("leave", (queue) -> queue.leave(PROCESS, 1));
		calls.put("leave several", (queue) -> queue.leave(PROCESS, 1000));
		calls.put("release-lock", (queue) -> releaseLock(queue, "m", 3));
		calls.put("cancel", (queue) -> {
			queue.requeue(PROCESS, id(1), token(1));
			queue.cancel(1);
		});
		calls.put("heal", (queue) -> {
			queue.template().opsForZSet().remove(queue.key("mutexes"), "m=" + id(3));
			heal(queue, "parked", id(4), "mutex:m");
		});
		calls.put("repair", (queue) -> {
			queue.template().opsForHash().delete(queue.key("working"), id(5));
			repair(queue, id(5));
		});
		return calls;
	}

}
