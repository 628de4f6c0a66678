package io.github.steadyjobs.audit;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.audit.DamagedQueue.id;
import static io.github.steadyjobs.audit.ViolationKind.BAD_VALUE;
import static io.github.steadyjobs.audit.ViolationKind.FOREIGN_ID;
import static io.github.steadyjobs.audit.ViolationKind.FOREIGN_QUEUE;
import static io.github.steadyjobs.audit.ViolationKind.LEFTOVER;
import static io.github.steadyjobs.audit.ViolationKind.NOBODY_WORKS;
import static io.github.steadyjobs.audit.ViolationKind.NO_PAYLOAD;
import static io.github.steadyjobs.audit.ViolationKind.NO_PLACE;
import static io.github.steadyjobs.audit.ViolationKind.SEVERAL_PLACES;
import static io.github.steadyjobs.audit.ViolationKind.WRONG_TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JobAudit}.
 */
@RedisAndClusterTest
class JobAuditIntegrationTests {

	private final TestRedis redis;

	private final JobAudit audit;

	private final DamagedQueue queue;

	JobAuditIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.audit = new JobAudit(redis.connections(), redis.prefix());
		this.queue = new DamagedQueue(redis, "mail");
	}

	@Test
	void runWhenNothingIsThereIsClean() {
		assertThat(this.audit.run()).isEqualTo(new AuditReport(List.of(), Map.of(), 0, 0));
	}

	@Test
	void runWhenJobsAreInAllPlacesIsClean() {
		this.queue.fillAllPlaces();
		AuditReport report = this.audit.run();
		assertThat(report.violations()).isEmpty();
		assertThat(report.isClean()).isTrue();
		assertThat(report.looked()).isPositive();
	}

	@Test
	void runWhenPayloadIsMissingReportsPlace() {
		this.queue.fillAllPlaces();
		this.queue.payloads().keySet().forEach((id) -> this.queue.deleteField("payloads", id));
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind).containsOnly(NO_PAYLOAD);
		assertThat(report.violations()).extracting(Violation::where)
			.containsExactlyInAnyOrder("working", "scheduled", "retries", "dead", "parked", "suspects", "ready");
		assertRepairs(report);
		assertThat(this.queue.contents()).doesNotContainKeys("ready", "working", "scheduled", "retries", "dead",
				"parked", "suspects", "crashes");
	}

	@Test
	void runWhenPlaceIsMissingReportsPayload() {
		this.queue.enqueue(1, 2, 3);
		this.queue.delete("ready");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactlyInAnyOrder(violation(NO_PLACE, id(1), "payloads", ""),
				violation(NO_PLACE, id(2), "payloads", ""), violation(NO_PLACE, id(3), "payloads", ""));
		assertRepairs(report);
		assertThat(this.queue.claimAll()).containsExactly(id(1), id(2), id(3));
	}

	@Test
	void runWhenIdIsInTwoPlacesReportsBoth() {
		this.queue.fillAllPlaces();
		this.queue.pushLeft("ready", this.queue.sorted("dead").get(0));
		this.queue.pushLeft("ready", this.queue.workingIds().get(0));
		this.queue.pushLeft("ready", this.queue.list("suspects").get(0));
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind).containsOnly(SEVERAL_PLACES);
		assertThat(report.violations()).extracting(Violation::where)
			.containsExactlyInAnyOrder("ready, dead", "ready, working", "ready, suspects");
		String running = this.queue.workingIds().get(0);
		assertRepairs(report);
		assertThat(this.queue.workingIds()).containsExactly(running);
		assertThat(this.queue.list("suspects")).hasSize(1);
		assertThat(this.queue.has("dead")).isFalse();
	}

	@Test
	void runWhenIdIsTwiceInListReportsIt() {
		this.queue.enqueue(1, 2);
		this.queue.pushLeft("ready", id(1));
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactly(violation(SEVERAL_PLACES, id(1), "ready, ready", ""));
		assertRepairs(report);
		assertThat(this.queue.list("ready")).containsExactlyInAnyOrder(id(1), id(2));
	}

	@Test
	void runWhenProcessHasNoBeatReportsWhatItHolds() {
		this.queue.working(1);
		this.queue.delete("beats");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactlyInAnyOrder(violation(NOBODY_WORKS, id(1), "working", ""),
				violation(LEFTOVER, "p1/main", "claims", "1 " + id(1)));
		assertLeaves(report);
		this.queue.join("p2");
		assertThat(this.audit.run().isClean()).isTrue();
		assertThat(this.queue.hash("beats")).containsEntry("p1", "0");
	}

	@Test
	void runWhenTokenIsUnreadableReportsJob() {
		this.queue.working(1);
		this.queue.set("working", id(1), "somebody");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactly(violation(NOBODY_WORKS, id(1), "working", ""));
		assertLeaves(report);
		this.queue.deleteField("working", id(1));
		assertRepairs(this.audit.run());
		assertThat(this.queue.claimAll()).containsExactly(id(1));
	}

	@Test
	void runWhenIdIsForeignReportsIt() {
		this.queue.enqueue(1);
		this.queue.set("payloads", "by hand", "{}");
		this.queue.pushLeft("ready", "by hand");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactly(violation(FOREIGN_ID, "by hand", "", ""));
		assertLeaves(report);
	}

	@Test
	void runWhenMarksAreLeftOverReportsThem() {
		this.queue.enqueue(1);
		this.queue.addToSet("cancelled", id(1));
		this.queue.addToSet("cancelled", id(2));
		this.queue.set("crashes", id(3), "2 1700000000000 p1");
		this.queue.set("since", id(4), "1700000000000");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind, Violation::id)
			.containsExactlyInAnyOrder(tuple(LEFTOVER, id(1)), tuple(LEFTOVER, id(2)), tuple(LEFTOVER, id(3)),
					tuple(LEFTOVER, id(4)));
		assertLeaves(report);
	}

	@Test
	void runWhenCancelledJobIsNotMetReportsWhatKeepsIt() {
		this.queue.enqueue(1);
		this.queue.delete("ready");
		this.queue.addToSet("cancelled", id(1));
		this.queue.score("dead", id(2), 1_700_000_000_000.0);
		this.queue.addToSet("cancelled", id(2));
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactlyInAnyOrder(violation(NO_PLACE, id(1), "payloads", ""),
				violation(NO_PAYLOAD, id(2), "dead", ""));
		this.audit.repair(report);
		assertThat(this.audit.run().violations()).containsExactly(violation(LEFTOVER, id(1), "cancelled", ""));
	}

	@Test
	void runWhenCancelledJobWaitsToBeMetIsClean() {
		this.queue.enqueue(1, 2);
		this.queue.cancel(1);
		assertThat(this.audit.run().isClean()).isTrue();
	}

	@Test
	void runWhenValuesAreDamagedReportsThem() {
		this.queue.fillAllPlaces();
		this.queue.set("beats", "p1", "never");
		this.queue.set("stats", "done", "many");
		this.queue.set("calls", "producer/0", "x");
		this.queue.set("meta", "sweep", "here");
		String later = this.queue.sorted("scheduled").get(0);
		this.queue.score("scheduled", later, Double.POSITIVE_INFINITY);
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactlyInAnyOrder(violation(BAD_VALUE, "p1", "beats", "never"),
				violation(BAD_VALUE, "done", "stats", "many"), violation(BAD_VALUE, "producer/0", "calls", "x"),
				violation(BAD_VALUE, "sweep", "meta", "here"), violation(BAD_VALUE, later, "scheduled", "inf"));
		assertLeaves(report);
	}

	@Test
	void runWhenKeyHasWrongTypeReportsKeyAndRepairRenamesIt() {
		this.queue.fillAllPlaces();
		this.queue.spoil("parked");
		this.queue.spoil("wake");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind, Violation::where)
			.contains(tuple(WRONG_TYPE, this.queue.key("parked")), tuple(WRONG_TYPE, this.queue.key("wake")));
		assertThat(report.counts()).containsEntry(NO_PLACE, 1L);
		assertRepairs(report);
		assertThat(this.queue.contents().keySet()).anyMatch((key) -> key.startsWith("parked:damaged:"))
			.anyMatch((key) -> key.startsWith("wake:damaged:"));
	}

	@Test
	void repairWhenReadyHasWrongTypeBringsAllItsJobsBackInOrder() {
		this.queue.enqueue(1, 2, 3);
		this.queue.set("payloads", "by hand", "{}");
		this.queue.spoil("ready");
		AuditReport report = this.audit.run();
		AuditReport shortReport = new AuditReport(
				report.violations().stream().filter((violation) -> violation.kind() == WRONG_TYPE).toList(),
				report.counts(), 0, 0);
		assertThat(report.counts()).containsEntry(NO_PLACE, 3L);
		this.audit.repair(shortReport);
		assertThat(this.audit.run().violations()).extracting(Violation::kind).containsExactly(FOREIGN_ID);
		assertThat(this.queue.claimAll()).containsExactly(id(1), id(2), id(3), "by hand");
	}

	@Test
	void runWhenPayloadsHaveWrongTypeReportsNothingElse() {
		this.queue.fillAllPlaces();
		this.queue.spoil("payloads");
		AuditReport report = this.audit.run();
		assertThat(report.violations())
			.containsExactly(violation(WRONG_TYPE, "", this.queue.key("payloads"), "string"));
	}

	@Test
	void runWhenKeysOutsideOfQueuesAreDamagedReportsThem() {
		this.queue.enqueue(1);
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "not {a} queue");
		this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", "p9");
		this.redis.template().opsForValue().set(this.redis.prefix() + ":process:p9", "no hash");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).containsExactlyInAnyOrder(
				new Violation("", WRONG_TYPE, "", this.redis.prefix() + ":process:p9", "string"),
				new Violation("", FOREIGN_QUEUE, "not {a} queue", "queues", ""));
		RepairReport repair = this.audit.repair(report);
		assertThat(repair.repaired()).extracting(Violation::kind).containsExactly(WRONG_TYPE);
		assertThat(repair.left()).extracting(Violation::kind).containsExactly(FOREIGN_QUEUE);
		this.redis.template().delete(this.redis.prefix() + ":queues");
		this.redis.template().opsForValue().set(this.redis.prefix() + ":queues", "no set");
		assertRepairs(this.audit.run());
		String damaged = this.redis.prefix() + ":damaged:{" + this.redis.prefix();
		assertThat(this.redis.contents().keySet()).anyMatch((key) -> key.startsWith(damaged + ":process:p9}:"))
			.anyMatch((key) -> key.startsWith(damaged + ":queues}:"));
	}

	@Test
	void runWhenMoreIsWrongThanIsListedCountsAll() {
		int jobs = AuditReport.MOST_LISTED + 1234;
		this.queue.enqueueMany(jobs);
		this.queue.delete("ready");
		AuditReport report = this.audit.run();
		assertThat(report.violations()).hasSize(AuditReport.MOST_LISTED);
		assertThat(report.counts()).containsOnly(Map.entry(NO_PLACE, (long) jobs));
		this.audit.repair(report);
		AuditReport rest = this.audit.run();
		assertThat(rest.counts()).containsOnly(Map.entry(NO_PLACE, 1234L));
		assertRepairs(rest);
	}

	@Test
	void repairWhenNothingIsWrongAnyMoreChangesNothing() {
		this.queue.enqueue(1);
		this.queue.delete("ready");
		AuditReport report = this.audit.run();
		this.audit.repair(report);
		Object before = this.queue.contents();
		RepairReport repeated = this.audit.repair(report);
		assertThat(repeated.repaired()).isEmpty();
		assertThat(repeated.gone()).isEqualTo(report.violations());
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void runWhenQueueCannotBeCalledSoIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.audit.run("not {a} queue"))
			.withMessageContaining("'not {a} queue' must be 1 to 64 of the characters");
	}

	private void assertRepairs(AuditReport report) {
		assertThat(report.isClean()).isFalse();
		RepairReport repair = this.audit.repair(report);
		assertThat(repair.repaired()).containsExactlyInAnyOrderElementsOf(report.violations());
		assertThat(repair.gone()).isEmpty();
		assertThat(this.audit.run().violations()).isEmpty();
	}

	private void assertLeaves(AuditReport report) {
		Object before = this.queue.contents();
		assertThat(this.audit.repair(report)).isEqualTo(new RepairReport(List.of(), List.of(), report.violations()));
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(this.audit.run().violations()).containsExactlyInAnyOrderElementsOf(report.violations());
	}

	private static Violation violation(ViolationKind kind, String id, String where, String found) {
		return new Violation("mail", kind, id, where, found);
	}

}
