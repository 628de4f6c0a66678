package io.github.steadyjobs.admin;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.audit.AuditScripts;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.ScriptFiles;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.steadyjobs.admin.AdminScripts.change;
import static io.github.steadyjobs.audit.AuditScripts.heal;
import static io.github.steadyjobs.audit.AuditScripts.quarantine;
import static io.github.steadyjobs.audit.AuditScripts.repair;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.gathered;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a second copy of a call changes nothing, whether it arrives immediately or
 * after newer calls. Covers the scripts whose own test classes do not check this.
 */
class RepeatedScriptIntegrationTests extends AbstractScriptTests {

	/**
	 * Scripts whose own tests repeat a call both immediately and after newer calls.
	 */
	private static final Set<JobScript> TESTED_ELSEWHERE = Set.of(ScriptFixture.ENQUEUE, ScriptFixture.GATHER,
			ScriptFixture.CLAIM, ScriptFixture.SETTLE, ScriptFixture.RECOVER, JobLocks.RELEASE_LOCK,
			ScriptFixture.CLOSE_SHARD, ScriptFixture.MOVE_OUT, ScriptFixture.MOVE_IN, ScriptFixture.MOVE_END,
			ScriptFixture.PAUSE, ScriptFixture.DECLARE);

	/** Scripts that are tested in the module of recurring jobs. */
	private static final Set<String> OF_RECURRING_JOBS = Set.of("schedule", "tick");

	/**
	 * Scripts for which a second copy of a call has an effect, as their headers describe:
	 * a heartbeat increments a counter, the counts of runs are added up, an instruction
	 * gets the next number, and a report replaces the latest one.
	 */
	private static final Set<JobScript> NOT_REPEATABLE = Set.of(ScriptFixture.BEAT, RunHistory.TALLY,
			ScriptFixture.INSTRUCT, ScriptFixture.REPORT);

	private static final Pattern WRITES = Pattern
		.compile("call\\('(?:H(?:SET|DEL|INCR)|[LR](?:PUSH|POP|REM|TRIM)|Z(?:ADD|REM)|S(?:ADD|REM)|DEL|SET|RENAME)");

	RepeatedScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	static List<Case> cases() {
		return List.of(new Case(ScriptFixture.ADVANCE, RepeatedScriptIntegrationTests::runOrdered,
				(queue) -> queue.advance(PROCESS, 1, token(1), 6), (queue) -> {
					queue.requeue(PROCESS, id(1), token(1));
					queue.gather(ordered(1, "3", "[3]"));
					queue.claim(1);
				}), new Case(OrderedJobs.REVIVE, (queue) -> {
					runOrdered(queue);
					queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "2 [2]"));
				}, (queue) -> queue.run(OrderedJobs.REVIVE, id(9), id(1), "fresh\n1 [1]\n", 1, 100), (queue) -> {
					queue.claim(1);
					queue.acknowledge(PROCESS, id(1), token(2));
				}), new Case(OrderedJobs.REVIVE, (queue) -> {
					runOrdered(queue);
					queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "2 [2]"));
					fill(queue);
				}, (queue) -> queue.run(OrderedJobs.REVIVE, id(9), id(1), "fresh\n1 [1]\n", 1, 2000), (queue) -> {
					queue.claim(1);
					queue.acknowledge(PROCESS, id(1), token(2));
				}),
				new Case(ScriptFixture.CANCEL, RepeatedScriptIntegrationTests::fill,
						(queue) -> queue.run(ScriptFixture.CANCEL, "p/0", 1, id(1)),
						RepeatedScriptIntegrationTests::fill),
				new Case(AuditScripts.HEAL, (queue) -> {
					fill(queue);
					queue.template().delete(queue.key("ready"));
					queue.template().delete(queue.key("payloads"));
				}, (queue) -> heal(queue, "backlogged", id(1), "1 136 1288 0 136"), (queue) -> {
					queue.join(PROCESS);
					queue.claim(1);
					queue.acknowledge(PROCESS, id(1), token(1));
				}), new Case(AdminStore.CHANGE, (queue) -> queue.enqueue(job(1, HOUR)),
						(queue) -> change(queue, "head", "scheduled", id(1)), (queue) -> {
							queue.working();
							queue.claim(1);
							queue.retry(1, 1, HOUR);
						}),
				new Case(AdminStore.CHANGE, (queue) -> queue.enqueue(job(1, HOUR)),
						(queue) -> change(queue, "dead", "scheduled", id(1)),
						(queue) -> change(queue, "head", "dead", id(1))),
				new Case(AdminStore.CHANGE, (queue) -> queue.enqueue(1, 2),
						(queue) -> change(queue, "deleted", "ready", id(1)), (queue) -> {
							queue.working();
							queue.claim(2);
						}),
				new Case(AdminStore.PURGE, (queue) -> queue.enqueue(1, 2),
						(queue) -> queue.run(AdminStore.PURGE, "p/0", 1, "ready", 10), (queue) -> queue.enqueue(3)),
				new Case(AdminStore.EDIT, (queue) -> queue.enqueue(1),
						(queue) -> queue.run(AdminStore.EDIT, id(1), digest(payload(1)), "new", "", "", ""),
						(queue) -> queue.run(AdminStore.EDIT, id(1), digest("new"), "newer", "", "", "")),
				new Case(ScriptFixture.UNPARK, (queue) -> queue.working(1).park(1, 1, "unknown:Mail.send"),
						(queue) -> queue.unpark("0", 1000, "unknown:Mail.send"), (queue) -> {
							queue.claim(1);
							queue.park(1, 2, "unbound:Mail.send/a");
						}),
				new Case(ScriptFixture.CANCEL, (queue) -> queue.enqueue(1, 2), (queue) -> queue.cancel(1), (queue) -> {
					queue.working();
					queue.claim(2);
				}), new Case(AuditScripts.HEAL, (queue) -> {
					queue.working(1);
					queue.set("again", "d", id(2) + " 36ee80 payload");
				}, (queue) -> heal(queue, "again", "d", id(2) + " 36ee80 "), (queue) -> {
					queue.claim(1);
					queue.acknowledge(PROCESS, id(2), token(2));
				}), new Case(AuditScripts.REPAIR, (queue) -> {
					queue.working();
					queue.enqueue(locked(1, LockKind.UNTIL_EXECUTED, "d"));
					queue.template().delete(queue.key("ready"));
				}, (queue) -> repair(queue, id(1)), (queue) -> {
					queue.claim(1);
					queue.retry(1, 1, HOUR);
				}), new Case(AuditScripts.QUARANTINE, (queue) -> queue.spoil(queue.key("ready")),
						AuditScripts::quarantine, (queue) -> queue.enqueue(1)),
				new Case(JobHistory.MARK, (queue) -> {
				}, (queue) -> mark(queue, 1000, "1.0"), (queue) -> mark(queue, 2000, "2.0")), new Case(JobActivity.NOTE,
						(queue) -> note(queue, "a1"), (queue) -> note(queue, "b2"), (queue) -> note(queue, "c3")));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void callWhenSentTwiceChangesNothing(Case script) {
		script.given.accept(this.queue);
		Map<String, Object> before = this.queue.contents();
		script.call.accept(this.queue);
		assertThat(this.queue.contents()).isNotEqualTo(before);
		assertRepeats(script);
	}

	@ParameterizedTest
	@MethodSource("cases")
	void callWhenSentLateChangesNothing(Case script) {
		script.given.accept(this.queue);
		script.call.accept(this.queue);
		Map<String, Object> before = this.queue.contents();
		script.since.accept(this.queue);
		assertThat(this.queue.contents()).isNotEqualTo(before);
		assertRepeats(script);
	}

	private void assertRepeats(Case script) {
		Map<String, Object> before = this.queue.contents();
		script.call.accept(this.queue);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void everyScriptThatWritesIsSentTwiceAndLate() {
		List<String> writing = ScriptFiles.scripts()
			.stream()
			.filter((script) -> ScriptFiles.withIncludes(script)
				.stream()
				.anyMatch((text) -> WRITES.matcher(text).find()))
			.toList();
		Stream<JobScript> tested = Stream
			.of(cases().stream().map(Case::script), TESTED_ELSEWHERE.stream(), NOT_REPEATABLE.stream())
			.flatMap((scripts) -> scripts);
		assertThat(writing)
			.as("scripts that write, each of which is in this table or is sent twice and late by its own test")
			.containsExactlyInAnyOrderElementsOf(
					Stream.concat(tested.map(JobScript::toString), OF_RECURRING_JOBS.stream()).distinct().toList());
	}

	@Test
	void historyWhenKeyHasWrongTypeIsRefused() {
		this.queue.spoil(this.queue.key("marks"));
		Map<String, Object> before = this.queue.contents();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> mark(this.queue, 1000, "1.0"))
			.has(reason(Reason.DAMAGED));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> tally(this.queue))
			.has(reason(Reason.DAMAGED));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void historyWhenMemoryIsFullIsRefused() {
		try (OwnRedis server = OwnRedis.start()) {
			ScriptFixture full = new ScriptFixture(server.redis());
			server.fillMemory();
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> mark(full, 1000, "1.0"))
				.has(reason(Reason.FULL));
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> tally(full)).has(reason(Reason.FULL));
			assertThat(full.contents()).isEmpty();
		}
	}

	/**
	 * Prepare a key with two running payloads.
	 */
	private static void runOrdered(ScriptFixture queue) {
		queue.working();
		queue.gather(ordered(1, "1", "[1]"), ordered(1, "2", "[2]"));
		queue.claim(1);
	}

	/**
	 * Store so many payloads for a key that some of them are in its backlog.
	 */
	private static void fill(ScriptFixture queue) {
		queue.gather(IntStream.range(0, 200)
			.mapToObj((number) -> ordered(1, Integer.toString(number), "[" + number + "]"))
			.toArray(NewJob[]::new));
	}

	private static byte[] digest(String payload) {
		return JobScript.sha1(bytes(payload));
	}

	private static void mark(ScriptFixture queue, long at, String label) {
		queue.runOn(JobHistory.MARK, "marks", at, label, HOUR, "1");
	}

	private static void note(ScriptFixture queue, String call) {
		queue.runOn(JobActivity.NOTE, "activity", "b0", call, 5, "ann\ndelete", 1000);
	}

	private static void tally(ScriptFixture queue) {
		queue.runOn(RunHistory.TALLY, "marks", HOUR, "Mail.send", "A1");
	}

	/**
	 * A script call to repeat.
	 *
	 * @param script the script that is called
	 * @param given prepares the data that the call needs
	 * @param call makes the call, with the same arguments each time
	 * @param since makes the newer calls, before the late copy of the call
	 */
	private record Case(JobScript script, Consumer<ScriptFixture> given, Consumer<ScriptFixture> call,
			Consumer<ScriptFixture> since) {

		@Override
		public String toString() {
			return this.script.toString();
		}

	}

}
