package io.github.steadyjobs.audit;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.audit.DamagedQueue.id;
import static io.github.steadyjobs.audit.ViolationKind.BAD_VALUE;
import static io.github.steadyjobs.audit.ViolationKind.LOCK_WITHOUT_JOB;
import static io.github.steadyjobs.audit.ViolationKind.LOST_DUPLICATE;
import static io.github.steadyjobs.audit.ViolationKind.NO_PAYLOAD;
import static io.github.steadyjobs.audit.ViolationKind.WAITS_FOR_NOBODY;
import static io.github.steadyjobs.audit.ViolationKind.WRONG_TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JobAudit} with the data that is stored for locks.
 */
@RedisAndClusterTest
class LockAuditIntegrationTests {

	private static final String D = "digest-of-22-characters";

	private static final String LATER = "9000000000000";

	private final TestRedis redis;

	private final JobAudit audit;

	private final DamagedQueue queue;

	LockAuditIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.audit = new JobAudit(redis.connections(), redis.prefix());
		this.queue = new DamagedQueue(redis, "mail");
	}

	@Test
	void runWhenLocksAreInUseIsClean() {
		this.queue.running(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "e");
		this.queue.enqueue(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "e");
		this.queue.running(3, LockKind.WITHIN, "w");
		this.queue.end(3);
		this.queue.running(4, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(5, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(6, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(7, LockKind.UNTIL_EXECUTED, "cancelled");
		this.queue.cancel(7);
		this.queue.enqueue(8, LockKind.UNTIL_EXECUTING, "u");
		assertIsClean();
		// Now job 5 is ready, and job 6 is still waiting.
		this.queue.end(4);
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(6));
		assertIsClean();
		assertThat(this.queue.contents()).containsKeys("locks", "lockof", "again", "mutexes", "windows", "parked");
	}

	@Test
	void runWhenLockWasReleasedWithDuplicateToRunOnceMoreIsClean() {
		this.queue.running(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, D);
		this.queue.enqueue(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, D);
		new JobLocks(this.redis.connections(), this.redis.prefix()).release("mail", D);
		assertThat(this.queue.has("locks")).isFalse();
		assertIsClean();
		this.queue.end(1);
		assertIsClean();
		assertThat(this.queue.list("ready")).containsExactly(id(2));
	}

	@Test
	void runWhenJobOfLockIsGoneReportsLock() {
		this.queue.set("locks", D, id(1) + LATER + "u");
		this.queue.set("lockof", id(1), "u36ee80 " + D);
		registerQueue();
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactly(violation(LOCK_WITHOUT_JOB, D, "locks", id(1) + LATER + "u"),
				violation(LOCK_WITHOUT_JOB, id(1), "lockof", "u36ee80 " + D));
		assertRepairs(report);
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof");
	}

	@Test
	void runWhenPayloadOfRunningJobIsLostReportsJobAndThenItsLock() {
		this.queue.running(1, LockKind.UNTIL_EXECUTED, D);
		this.queue.delete("payloads");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind).containsExactly(NO_PAYLOAD);
		this.audit.repair(report);
		AuditReport second = this.audit.run();
		assertThat(second.violations()).extracting(Violation::kind, Violation::where)
			.containsExactly(tuple(LOCK_WITHOUT_JOB, "locks"), tuple(LOCK_WITHOUT_JOB, "lockof"));
		assertRepairs(second);
	}

	@Test
	void runWhenWindowIsOverAndForgottenReportsLock() {
		this.queue.enqueue(1, LockKind.WITHIN, "open");
		this.queue.set("locks", "over", id(2) + "18bcfe56800w");
		this.queue.score("windows", "over", 1_700_000_000_000.0);
		this.queue.set("locks", "forgotten", id(3) + "18bcfe56800w");
		AuditReport report = this.audit.run();
		assertThat(report.violations())
			.containsExactly(violation(LOCK_WITHOUT_JOB, "forgotten", "locks", id(3) + "18bcfe56800w"));
		assertRepairs(report);
		assertThat(this.queue.hash("locks")).containsOnlyKeys("open", "over");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void runWhenNobodyWouldRunDuplicateReportsItAndRepairMakesItAJob(boolean lockIsThere) {
		this.queue.running(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, D);
		this.queue.enqueue(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, D);
		for (String name : List.of("payloads", "working")) {
			this.queue.deleteField(name, id(1));
		}
		if (!lockIsThere) {
			this.queue.delete("locks");
		}
		this.queue.delete("lockof");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).contains(violation(LOST_DUPLICATE, D, "again", id(2) + " 36ee80 "))
			.hasSize(lockIsThere ? 2 : 1);
		assertRepairs(report);
		assertThat(this.queue.payloads()).containsOnly(Map.entry(id(2), "payload of 2"));
		assertThat(this.queue.enqueue(3, LockKind.UNTIL_EXECUTED, D)).isEqualTo(id(2));
		assertThat(this.queue.claimAll()).containsExactly(id(2));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void runWhenPayloadsWaitForARunThatIsGoneReportsThemAndRepairLetsThemRun(boolean jobIsThere) {
		this.queue.enqueue(9);
		this.queue.set("gathered", id(1), "5 envelope\n2 [2]\n");
		if (jobIsThere) {
			this.queue.enqueue(1);
			this.queue.set("payloads", id(1), "older\n1 [1]\n");
		}
		AuditReport report = this.audit.run();
		assertThat(report.violations())
			.containsExactly(violation(ViolationKind.LOST_PAYLOADS, id(1), "gathered", "5 "));
		assertRepairs(report);
		assertThat(this.queue.payloads()).containsEntry(id(1),
				jobIsThere ? "older\n1 [1]\n2 [2]\n" : "envelope\n2 [2]\n");
		assertThat(this.queue.claimAll()).containsExactly(id(9), id(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "nobody runs", "the mutex is lost", "it is not among those that wait" })
	void runWhenJobWaitsForNobodyReportsItAndRepairMakesItReady(String why) {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.running(2, LockKind.WHILE_EXECUTING, D);
		this.queue.running(3, LockKind.WHILE_EXECUTING, "other");
		this.queue.running(4, LockKind.WHILE_EXECUTING, "other");
		switch (why) {
			case "nobody runs" ->
				List.of("payloads", "working", "lockof").forEach((name) -> this.queue.deleteField(name, id(1)));
			case "the mutex is lost" -> this.queue.removeMember("mutexes", D + "=" + id(1));
			default -> this.queue.removeMember("mutexes", D + ":" + id(2));
		}
		AuditReport report = this.audit.run();
		assertThat(report.violations()).contains(violation(WAITS_FOR_NOBODY, id(2), "parked", "mutex:" + D))
			.hasSize(why.equals("nobody runs") ? 2 : 1);
		assertRepairs(report);
		assertThat(this.queue.list("ready")).containsExactly(id(2));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(4));
	}

	@Test
	void repairWhenReadyHasWrongTypeTooPutsTheJobIntoTheNewOne() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.running(2, LockKind.WHILE_EXECUTING, D);
		this.queue.removeMember("mutexes", D + "=" + id(1));
		this.queue.spoil("ready");
		this.audit.repair(this.audit.run());
		assertIsClean();
		assertThat(this.queue.list("ready")).containsExactly(id(2));
	}

	@Test
	void runWhenJobsOfMutexAreGoneReportsThem() {
		this.queue.enqueue(1);
		this.queue.score("mutexes", D + "=" + id(8), 0);
		this.queue.score("mutexes", D + ":" + id(1), 0);
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind, Violation::id)
			.containsExactlyInAnyOrder(tuple(LOCK_WITHOUT_JOB, D + "=" + id(8)),
					tuple(LOCK_WITHOUT_JOB, D + ":" + id(1)));
		assertRepairs(report);
		assertThat(this.queue.has("mutexes")).isFalse();
	}

	@Test
	void runWhenValuesAreDamagedReportsThem() {
		this.queue.enqueue(1, LockKind.WITHIN, "w");
		this.queue.set("locks", D, "neither id nor time");
		this.queue.set("lockof", id(2), "?");
		this.queue.set("again", D, "?");
		this.queue.score("mutexes", "neither", 0);
		this.queue.score("windows", "w", Double.POSITIVE_INFINITY);
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind, Violation::where, Violation::id)
			.containsExactlyInAnyOrder(tuple(BAD_VALUE, "locks", D), tuple(BAD_VALUE, "lockof", id(2)),
					tuple(BAD_VALUE, "again", D), tuple(BAD_VALUE, "mutexes", "neither"),
					tuple(BAD_VALUE, "windows", "w"));
		assertThat(this.audit.repair(report).left()).isEqualTo(report.violations());
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks", "lockof", "again", "mutexes", "windows" })
	void runWhenKeyHasWrongTypeIsCleanAfterSomeRepairs(String name) {
		runWhenLocksAreInUseIsClean();
		this.queue.spoil(name);
		AuditReport report = this.audit.run();
		assertThat(report.violations()).contains(violation(WRONG_TYPE, "", this.queue.key(name), "string"));
		this.audit.repair(report);
		this.audit.repair(this.audit.run());
		assertIsClean();
		assertThat(this.queue.payloads()).containsKeys(id(1), id(5), id(6), id(8));
	}

	@Test
	void repairWhenNothingIsWrongAnyMoreChangesNothing() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.running(2, LockKind.WHILE_EXECUTING, D);
		this.queue.removeMember("mutexes", D + "=" + id(1));
		this.queue.set("again", "e", id(3) + " 36ee80 payload");
		AuditReport report = this.audit.run();
		this.audit.repair(report);
		Object before = this.queue.contents();
		assertThat(this.audit.repair(report).gone()).isEqualTo(report.violations()).hasSize(2);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	private void registerQueue() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
	}

	private void assertIsClean() {
		assertThat(this.audit.run()).satisfies((report) -> {
			assertThat(report.violations()).isEmpty();
			assertThat(report.isClean()).isTrue();
		});
	}

	private void assertRepairs(AuditReport report) {
		RepairReport repair = this.audit.repair(report);
		assertThat(repair.repaired()).containsExactlyInAnyOrderElementsOf(report.violations());
		assertThat(repair.gone()).isEmpty();
		assertIsClean();
	}

	private static Violation violation(ViolationKind kind, String id, String where, String found) {
		return new Violation("mail", kind, id, where, found);
	}

}
