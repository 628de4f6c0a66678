package io.github.steadyjobs.admin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.admin.AdminScripts.change;
import static io.github.steadyjobs.admin.AdminScripts.purge;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTING;
import static io.github.steadyjobs.client.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.client.LockKind.WITHIN;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the operator scripts: {@code browse.lua}, {@code read.lua}, {@code
 * describe.lua}, {@code change.lua}, {@code purge.lua}, {@code edit.lua} and the scripts
 * that move jobs.
 */
class AdminScriptsIntegrationTests extends AbstractScriptTests {

	private static final long LONG = 180 * 24 * HOUR;

	AdminScriptsIntegrationTests(TestRedis redis) {
		super(redis);
	}

	// Pages

	@Test
	void browseListGivesPagesInTheOrderOfRuns() {
		this.queue.enqueue(1, 2, 3);
		assertThat(browse("ready", 2, "", "")).containsExactly("2", id(1), "", id(2), "");
		assertThat(browse("ready", 2, "2", "")).containsExactly("", id(3), "");
		assertThat(browse("suspects", 2, "", "")).containsExactly("");
	}

	@Test
	void browseSortedSetGoesOnBehindTheLastOneThoughItIsGone() {
		for (int job = 1; job <= 7; job++) {
			score("scheduled", job, (job < 5) ? 10 : 20);
		}
		assertThat(browse("scheduled", 2, "", "")).containsExactly("more", id(1), "10", id(2), "10");
		remove("scheduled", 2);
		assertThat(browse("scheduled", 3, "10", id(2))).containsExactly("more", id(3), "10", id(4), "10", id(5), "20");
		assertThat(browse("scheduled", 3, "10", id(3))).startsWith("more", id(4));
		assertThat(browse("scheduled", 9, "20", id(6))).containsExactly("", id(7), "20");
		assertThat(browse("scheduled", 9, "20", id(7))).containsExactly("");
	}

	@Test
	void browseDeadGivesTheLastOneFirst() {
		for (int job = 1; job <= 7; job++) {
			score("dead", job, (job < 5) ? 10 : 20);
		}
		assertThat(browse("dead", 2, "", "")).containsExactly("more", id(7), "20", id(6), "20");
		remove("dead", 6);
		assertThat(browse("dead", 2, "20", id(6))).containsExactly("more", id(5), "20", id(4), "10");
		assertThat(browse("dead", 9, "10", id(2))).containsExactly("", id(1), "10");
		assertThat(browse("dead", 9, "10", id(1))).containsExactly("");
	}

	@Test
	void browseHashGivesPagesByIdAndScansALargeOne() {
		IntStream.rangeClosed(1, 3).forEach((job) -> park(job, "unknown:Mail.send"));
		assertThat(browse("parked", 2, "", "")).containsExactly(id(2), id(1), "unknown:Mail.send", id(2),
				"unknown:Mail.send");
		assertThat(browse("parked", 2, id(2), "")).containsExactly("", id(3), "unknown:Mail.send");
		IntStream.rangeClosed(4, 600).forEach((job) -> park(job, "unknown:Mail.send"));
		Map<String, String> found = new LinkedHashMap<>();
		String next = "";
		do {
			List<String> page = browse("parked", 100, next, "");
			next = page.get(0);
			for (int i = 1; i < page.size(); i += 2) {
				found.put(page.get(i), page.get(i + 1));
			}
		}
		while (!next.equals("@0"));
		assertThat(found).hasSize(600);
	}

	@Test
	void readStopsWhereItIsTooMuch() {
		this.queue.enqueue(1, 2, 3);
		this.queue.cancel(2);
		assertThat(run(JobScript.READ, 1000, id(1), id(2), id(3))).containsExactly(payload(1), null, payload(3));
		assertThat(run(JobScript.READ, payload(1).length(), id(1), id(2), id(3))).containsExactly(payload(1));
	}

	// One job

	@Test
	void describeTellsThePlace() {
		this.queue.working(1, 2, 3, 4);
		this.queue.retry(2, 2, HOUR);
		this.queue.bury(3, 3, 10, LONG);
		this.queue.park(4, 4, "unknown:Mail.send");
		this.queue.enqueue(job(5, HOUR));
		this.queue.enqueue(6);
		assertThat(describe(1)).startsWith("working", ScriptFixture.holder(1), payload(1));
		assertThat(describe(2)).startsWith("retries").contains(payload(2) + ", failed");
		assertThat(describe(3)).startsWith("dead").contains(payload(3));
		assertThat(describe(4)).startsWith("parked", "unknown:Mail.send", payload(4));
		assertThat(describe(5)).startsWith("scheduled").endsWith("0");
		this.queue.template().opsForZSet().add(this.queue.key("scheduled"), id(5), this.queue.now());
		assertThat(describe(5)).startsWith("scheduled").endsWith("1");
		assertThat(describe(6)).containsExactly("ready", "", payload(6), "", "", "", "1", "0");
		assertThat(describe(7)).isEmpty();
		this.queue.pause();
		assertThat(describe(6)).containsExactly("ready", "", payload(6), "", "", "1", "1", "0");
		this.queue.cancel(1);
		assertThat(describe(1)).startsWith("working", ScriptFixture.holder(1), "");
	}

	@Test
	void describeTellsWhichJobKeepsItWaiting() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, "d"), locked(2, WHILE_EXECUTING, "d"));
		this.queue.claim(2);
		assertThat(describe(2)).containsExactly("parked", "mutex:d", payload(2), "", id(1), "", "1", "0");
	}

	@Test
	void describeTellsThatProcessesDiedWithIt() {
		this.queue.enqueue(1);
		for (int number = 1; number <= 2; number++) {
			this.queue.join("p" + number);
			this.queue.claim("p" + number, 1, 1, 100);
			this.queue.recover("p" + number);
		}
		assertThat(describe(1).get(0)).isEqualTo("suspects");
		assertThat(describe(1).get(3)).startsWith("2 ").endsWith(" alone");
	}

	// Changes

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked" })
	void runNowMakesJobsReady(String place) {
		this.queue.enqueue(9);
		waiting(this.queue, place, 1, 2, 3);
		assertThat(change(this.queue, "head", place, id(2), id(1), id(8))).isEqualTo("DDG");
		assertThat(this.queue.ready()).containsExactly(ids(2, 1, 9));
		assertThat(change(this.queue, "end", place, id(3), id(2))).isEqualTo("DA");
		assertThat(this.queue.ready()).containsExactly(ids(2, 1, 9, 3));
		assertThat(this.queue.stat("revived")).isEqualTo(place.equals("dead") ? 3 : 0);
		assertThat(this.queue.list("wake")).isNotEmpty();
	}

	@Test
	void runNowWhenJobWaitsForAnEqualOneLetsItAskAgain() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, "d"), locked(2, WHILE_EXECUTING, "d"));
		this.queue.claim(2);
		change(this.queue, "head", "parked", id(2));
		assertThat(this.queue.take(1)).isEmpty();
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.take(1)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "parked", "ready", "suspects" })
	void killBuriesAndEndsLocks(String place) {
		waiting(this.queue, place, 1, 2);
		this.queue.set("locks", "d", ScriptFixture.lock(1, this.queue.now() + HOUR, UNTIL_EXECUTED));
		this.queue.set("lockof", id(1), UNTIL_EXECUTED.lock(HOUR, "d"));
		assertThat(change(this.queue, "dead", place, id(1), id(8))).isEqualTo("DG");
		assertThat(this.queue.sorted("dead")).containsExactly(id(1));
		assertThat(this.queue.stat("dead")).isEqualTo(1);
		assertThat(this.queue.has("locks")).isFalse();
		assertThat(this.queue.has("lockof")).isFalse();
		assertThat(change(this.queue, "dead", place, id(1))).isEqualTo("A");
	}

	@Test
	void killTrimsDeadJobs() {
		this.queue.enqueue(job(1, HOUR), job(2, HOUR), job(3, HOUR));
		run(AdminStore.CHANGE, "", "", "dead", "scheduled", 3, id(1), id(2), id(3), 2, LONG);
		assertThat(this.queue.sorted("dead")).containsExactly(ids(2, 3));
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void deleteForgetsJobsAndTheirLocks(String place) {
		waiting(this.queue, place, 1, 2);
		this.queue.set("locks", "d", ScriptFixture.lock(1, this.queue.now() + HOUR, UNTIL_EXECUTED));
		this.queue.set("lockof", id(1), UNTIL_EXECUTED.lock(HOUR, "d"));
		assertThat(change(this.queue, "deleted", place, id(1), id(8))).isEqualTo("DG");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.has("locks")).isFalse();
		assertThat(change(this.queue, "deleted", place, id(1))).isEqualTo("G");
		this.queue.join(PROCESS);
		assertThat(this.queue.take(10)).extracting(Taken::id).doesNotContain(id(1));
	}

	@Test
	void deleteWhenJobHasMovedLeavesItAlone() {
		this.queue.working(1);
		this.queue.enqueue(job(2, HOUR));
		for (String place : List.of("ready", "suspects", "scheduled", "retries", "dead", "parked")) {
			assertThat(change(this.queue, "deleted", place, id(1))).as(place).isEqualTo("A");
		}
		assertThat(change(this.queue, "deleted", "ready", id(2))).isEqualTo("A");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(ids(1, 2));
	}

	@Test
	@DisplayName("GL-16: deletion of a job releases its window lock unless the job may have run")
	void deleteEndsAWindowOnlyIfTheJobHasNotRun() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WITHIN, "unrun"), locked(2, WITHIN, "run"));
		change(this.queue, "deleted", "ready", id(1));
		this.queue.claim(1);
		this.queue.retry(2, 1, HOUR);
		change(this.queue, "deleted", "retries", id(2));
		assertThat(this.queue.hash("locks")).containsOnlyKeys("run");
		assertThat(this.queue.sorted("windows")).containsExactly("run");
	}

	@Test
	@DisplayName("GL-16: deletion of a job turns a duplicate that is to run once more into a job")
	void deleteLetsTheDuplicateRunThatWasToRunAfterIt() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.claim(1);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.retry(1, 1, HOUR);
		change(this.queue, "deleted", "retries", id(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	@DisplayName("GL-16: a purge releases locks")
	void purgeDeletesInStepsAndEndsLocks(String place) {
		waiting(this.queue, place, 1, 2, 3);
		this.queue.set("locks", "d", ScriptFixture.lock(1, this.queue.now() + HOUR, UNTIL_EXECUTED));
		this.queue.set("lockof", id(1), UNTIL_EXECUTED.lock(HOUR, "d"));
		assertThat(purge(this.queue, place, 2)).isEqualTo("2 1");
		assertThat(purge(this.queue, place, 2)).isEqualTo("1 0");
		assertThat(purge(this.queue, place, 2)).isEqualTo("0 0");
		assertThat(this.queue.contents()).doesNotContainKeys("payloads", "locks", "lockof", "since", place);
	}

	@Test
	void purgeForgetsWhatWasCancelledBefore() {
		this.queue.enqueue(1, 2);
		this.queue.cancel(1);
		assertThat(purge(this.queue, "ready", 10)).isEqualTo("1 0");
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	@Test
	void purgeWhenJobWaitsForAnEqualOneTakesItOutOfTheLine() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, "d"), locked(2, WHILE_EXECUTING, "d"));
		this.queue.claim(2);
		assertThat(purge(this.queue, "parked", 10)).isEqualTo("1 0");
		assertThat(this.queue.sorted("mutexes")).containsExactly("d=" + id(1));
	}

	@Test
	void purgeOfManyParkedJobsDeletesAsManyInEachStep() {
		for (int from = 1; from <= 20_000; from += 1000) {
			Map<String, String> some = new LinkedHashMap<>();
			IntStream.range(from, from + 1000).forEach((job) -> some.put(id(job), "unknown:Mail.send"));
			this.queue.template().opsForHash().putAll(this.queue.key("payloads"), some);
			this.queue.template().opsForHash().putAll(this.queue.key("parked"), some);
		}
		for (long left = 19_000; left >= 0; left -= 1000) {
			assertThat(purge(this.queue, "parked", 1000)).isEqualTo("1000 " + left);
		}
	}

	// Edits

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void editStoresAnotherPayload(String place) {
		waiting(this.queue, place, 1);
		String stored = this.queue.hash("payloads").get(id(1));
		assertThat(edit(1, stored, "new", "")).isEqualTo("D");
		assertThat(edit(1, stored, "newer", "")).isEqualTo("C");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "new");
		assertThat(edit(2, stored, "new", "")).isEqualTo("A");
	}

	@Test
	void editWhenJobRunsRefuses() {
		this.queue.working(1);
		assertThat(edit(1, payload(1), "new", "")).isEqualTo("R");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), payload(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void editGivesAnotherTime(String place) {
		waiting(this.queue, place, 1);
		String stored = this.queue.hash("payloads").get(id(1));
		long due = this.queue.now() + 2 * HOUR;
		assertThat(text(AdminStore.EDIT, id(1), JobScript.sha1(bytes(stored)), "new", "", place, due)).isEqualTo("D");
		assertThat(this.queue.score(place.equals("retries") ? place : "scheduled", 1)).isEqualTo(due);
		this.queue.assertOnePlaceEach();
	}

	@Test
	void editWhenJobIsElsewhereGivesNoOtherTime() {
		this.queue.enqueue(job(1, HOUR));
		assertThat(text(AdminStore.EDIT, id(1), JobScript.sha1(bytes(payload(1))), "new", "", "retries", 5))
			.isEqualTo("A");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), payload(1));
	}

	@Test
	void editSwapsTheLock() {
		for (LockKind kind : List.of(UNTIL_EXECUTING, UNTIL_EXECUTED, UNTIL_EXECUTED_AND_ONCE_MORE, WITHIN)) {
			ScriptFixture other = this.queue.sibling();
			other.enqueue(locked(1, kind, "old"));
			assertThat(Answers
				.text(other.run(AdminStore.EDIT, id(1), JobScript.sha1(bytes(payload(1))), "new", "fresh", "", ""), 0))
				.isEqualTo("D");
			assertThat(other.hash("locks")).as("%s", kind).containsOnlyKeys("fresh");
			assertThat(other.enqueue(locked(2, kind, "fresh"))).startsWith("D");
			assertThat(other.enqueue(locked(3, kind, "old"))).isEqualTo("S");
			assertThat(other.sorted("windows")).hasSize((kind == WITHIN) ? 2 : 0);
		}
	}

	@Test
	void editWhenAnotherJobHasTheLockRefusesAndNamesIt() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, "one"), locked(2, UNTIL_EXECUTED, "two"));
		Map<String, Object> before = this.queue.contents();
		assertThat(edit(1, payload(1), "new", "two")).isEqualTo("L " + id(2));
		assertThat(this.queue.contents()).isEqualTo(before);
		this.queue.cancel(2);
		assertThat(edit(1, payload(1), "new", "two")).isEqualTo("D");
	}

	@Test
	void editWhenJobWaitsForAnEqualOneLetsItAskForTheOtherLock() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, "d"), locked(2, WHILE_EXECUTING, "d"));
		this.queue.claim(2);
		assertThat(edit(2, payload(2), "new", "other")).isEqualTo("D");
		assertThat(this.queue.take(1)).extracting(Taken::id).containsExactly(id(2));
		assertThat(this.queue.sorted("mutexes")).containsExactly("d=" + id(1), "other=" + id(2));
	}

	@Test
	void editWhenArgumentsDidNotFitMakesTheJobReady() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1), job(2));
		this.queue.claim(2);
		this.queue.park(1, 1, "unbound:Mail.send/a");
		this.queue.park(2, 1, "unknown:Mail.send");
		assertThat(edit(1, payload(1), "new", "")).isEqualTo("D");
		assertThat(edit(2, payload(2), "new", "")).isEqualTo("D");
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2));
		assertThat(this.queue.list("ready")).containsExactly(id(1));
	}

	// Moves

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready" })
	void moveMayBeRepeatedAtEachStep(String place) {
		ScriptFixture target = this.queue.sibling();
		waiting(this.queue, place, 1);
		Object[] in = moveOut(place, target.queue());
		assertThat(run(ScriptFixture.MOVE_OUT, id(1), place, target.queue())).isEmpty();
		assertThat(run(ScriptFixture.MOVE_OUT, id(1), "parked", target.queue())).isEmpty();
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1));
		assertThat(moveIn(target, in)).isEqualTo("D");
		assertThat(moveIn(target, in)).isEqualTo("A");
		assertThat(text(ScriptFixture.MOVE_END, id(1), "1", "moved")).isEqualTo("A");
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("D");
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("A");
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "back")).isEqualTo("A");
		assertThat(this.queue.contents()).doesNotContainKeys("payloads", "parked", place);
		String there = place.equals("parked") ? "ready" : place;
		assertThat(target.contents()).containsKeys("payloads", there);
		target.assertOnePlaceEach();
		assertThat(run(ScriptFixture.MOVE_OUT, id(1), place, target.queue())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "ready" })
	void moveWhenRefusedGoesBackToWhereTheJobWas(String place) {
		waiting(this.queue, place, 1);
		Map<String, Object> before = places();
		Object[] in = moveOut(place, "other");
		assertRepeatable(() -> run(ScriptFixture.MOVE_END, id(1), in[1], "back"));
		assertThat(places()).isEqualTo(before);
	}

	private Map<String, Object> places() {
		Map<String, Object> contents = new HashMap<>(this.queue.contents());
		contents.keySet().removeAll(Set.of("meta", "wake", "stats"));
		return contents;
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "ready" })
	void moveWhenBrokenOffGoesBackToWhereTheJobWas(String place) {
		waiting(this.queue, place, 1);
		Map<String, Object> before = places();
		Object[] in = moveOut(place, "other");
		List<Object> underWay = this.queue.run(ScriptFixture.UNPARK, "0", 1000);
		assertThat(underWay).containsSequence(0L, 0L);
		assertThat((Long) underWay.get(3)).isBetween(1L, 10_001L);
		breakOff();
		assertThat(this.queue.run(ScriptFixture.UNPARK, "0", 1000)).containsSequence(1L, -1L);
		assertThat(places()).isEqualTo(before);
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("A");
		assertThat(places()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "ready" })
	void moveWhenBrokenOffBeginsAnewWithWhereTheJobWas(String place) {
		waiting(this.queue, place, 1);
		Object[] in = moveOut(place, "other");
		breakOff();
		Object[] anew = moveOut("parked", "third");
		assertThat(anew).containsSequence(Arrays.copyOfRange(in, 2, 5));
		assertThat(this.queue.hash("parked").get(id(1))).startsWith("moving:third " + place);
	}

	@Test
	void changesWhenMoveWasBrokenOffTreatTheJobAsAnyThatIsParked() {
		waiting(this.queue, "ready", 1, 2, 3, 4);
		for (int job : new int[] { 1, 2, 3, 4 }) {
			run(ScriptFixture.MOVE_OUT, id(job), "ready", "other");
		}
		breakOff();
		assertThat(change(this.queue, "end", "parked", id(1))).isEqualTo("D");
		assertThat(change(this.queue, "dead", "parked", id(2))).isEqualTo("D");
		assertThat(change(this.queue, "deleted", "parked", id(3))).isEqualTo("D");
		assertThat(purge(this.queue, "parked", 10)).isEqualTo("1 0");
		assertThat(this.queue.ready()).containsExactly(id(1));
	}

	@Test
	void moveWhenCopyIsLateBringsNothingBack() {
		ScriptFixture target = this.queue.sibling();
		this.queue.enqueue(1);
		Object[] in = moveOut("ready", target.queue());
		in[1] = String.valueOf((this.queue.now() - 6000) * 1000);
		assertThat(moveIn(target, in)).isEqualTo("LATE");
		assertThat(target.contents()).isEmpty();
	}

	@Test
	void moveWhenJobIsInTheOtherQueueAlreadyLeavesThatOne() {
		ScriptFixture target = this.queue.sibling();
		this.queue.enqueue(1);
		Object[] in = moveOut("ready", target.queue());
		moveIn(target, in);
		target.join(PROCESS);
		target.claim(1);
		assertThat(moveIn(target, in)).isEqualTo("A");
		target.cancel(1);
		assertThat(moveIn(target, in)).isEqualTo("A");
		assertThat(target.has("payloads")).isFalse();
		target.assertOnePlaceEach();
	}

	@Test
	void moveWhenJobWasThereBeforeAndHasLeftStoresItAgain() {
		ScriptFixture target = this.queue.sibling();
		this.queue.enqueue(1);
		move(this.queue, target);
		move(target, this.queue);
		move(this.queue, target);
		assertThat(target.ready()).containsExactly(id(1));
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void moveWhenJobHasNotLeftTheOtherQueueYetIsRefused() {
		ScriptFixture target = this.queue.sibling();
		this.queue.enqueue(1);
		Object[] in = moveOut("ready", target.queue());
		moveIn(target, in);
		Object[] back = moveOut(target, "ready", this.queue.queue());
		assertThat(moveIn(this.queue, back)).isEqualTo("B");
		target.run(ScriptFixture.MOVE_END, id(1), back[1], "back");
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("D");
		assertThat(target.ready()).containsExactly(id(1));
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void changesWhenJobIsOnItsWayToAnotherQueueLeaveItAlone() {
		this.queue.enqueue(1);
		String stored = this.queue.hash("payloads").get(id(1));
		run(ScriptFixture.MOVE_OUT, id(1), "ready", "other");
		Map<String, Object> before = this.queue.contents();
		assertThat(change(this.queue, "end", "parked", id(1))).isEqualTo("A");
		assertThat(change(this.queue, "dead", "parked", id(1))).isEqualTo("A");
		assertThat(change(this.queue, "deleted", "parked", id(1))).isEqualTo("A");
		assertThat(edit(1, stored, "new", "")).isEqualTo("A");
		assertThat(text(AdminStore.EDIT, id(1), JobScript.sha1(bytes(stored)), "new", "", "parked", HOUR))
			.isEqualTo("A");
		assertThat(purge(this.queue, "parked", 10)).isEqualTo("0 1");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void cancelWhenJobIsOnItsWayTellsWhoMovesItAndWhereItMayBe() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, "d"));
		Object[] in = moveOut("ready", "other");
		assertRepeatable(() -> assertThat(this.queue.cancel(1)).isEqualTo("MOVING other"));
		assertThat(this.queue.contents()).doesNotContainKeys("payloads", "locks", "lockof");
		assertThat(run(AdminStore.DESCRIBE, id(1))).isEmpty();
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("C");
		assertThat(text(ScriptFixture.MOVE_END, id(1), in[1], "moved")).isEqualTo("A");
		assertThat(this.queue.contents()).doesNotContainKeys("cancelled", "parked");
	}

	@Test
	void cancelWhenMoveIsBrokenOffLeavesNothing() {
		this.queue.enqueue(1, 2);
		moveOut("ready", "other");
		this.queue.cancel(1);
		breakOff();
		this.queue.run(ScriptFixture.UNPARK, "0", 1000);
		run(ScriptFixture.MOVE_OUT, id(2), "ready", "other");
		breakOff();
		assertThat(this.queue.cancel(2)).isEqualTo("MOVING other");
		assertThat(this.queue.contents()).doesNotContainKeys("cancelled", "parked", "payloads");
	}

	@Test
	void moveWhenAnotherJobHasTheLockKeepsBoth() {
		ScriptFixture target = this.queue.sibling();
		target.enqueue(locked(2, UNTIL_EXECUTED, "d"));
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, "d"));
		move(this.queue, target);
		assertThat(target.ready()).containsExactly(ids(2, 1));
		assertThat(target.hash("locks").get("d")).startsWith(id(2));
		assertThat(this.queue.has("locks")).isFalse();
	}

	// Damaged data

	@Test
	void changesWhenKeyHasWrongTypeRefuse() {
		String[] places = fate("suspects", "dead");
		Consumer<ScriptFixture> given = (queue) -> waiting(queue, "scheduled", 1);
		for (String goal : List.of("head", "end", "dead")) {
			assertRefusesWrongTypes(AdminStore.CHANGE, given, (queue) -> change(queue, goal, "scheduled", id(1)),
					with(places, "backlog", "backlogged"));
		}
		assertRefusesWrongTypes(AdminStore.CHANGE, given, (queue) -> change(queue, "deleted", "scheduled", id(1)),
				with(places, "working", "cancelled", "backlog", "backlogged"));
		assertRefusesWrongTypes(AdminStore.PURGE, given, (queue) -> purge(queue, "scheduled", 10),
				fate("cancelled", "backlog", "backlogged"));
		assertRefusesWrongTypes(ScriptFixture.MOVE_OUT, given,
				(queue) -> queue.run(ScriptFixture.MOVE_OUT, id(1), "scheduled", "other"), with(places, "working"));
		assertRefusesWrongTypes(ScriptFixture.MOVE_IN, (queue) -> {
		}, (queue) -> queue.run(ScriptFixture.MOVE_IN, id(1), queue.now() + "000", "scheduled", "5", "e36ee80 d",
				"payload"), fate("dead", "cancelled", "locks", "working"));
		assertRefusesWrongTypes(ScriptFixture.MOVE_END, (queue) -> {
			queue.set("payloads", id(1), payload(1));
			queue.set("parked", id(1), "moving:other scheduled 5 7");
		}, (queue) -> queue.run(ScriptFixture.MOVE_END, id(1), "7", "moved"), fate("dead", "cancelled"));
		assertRefusesWrongTypes(AdminStore.EDIT, given, (queue) -> queue.run(AdminStore.EDIT, id(1),
				JobScript.sha1(bytes(payload(1))), "new", "", "scheduled", 5), with(places, "working"));
	}

	@Test
	void changesWhenTooManyJobsAreGivenRefuse() {
		this.queue.enqueue(jobs(1, 2));
		String[] many = IntStream.rangeClosed(1, 501).mapToObj(ScriptFixture::id).toArray(String[]::new);
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> change(this.queue, "deleted", "ready", (Object[]) many))
			.withMessageContaining("nothing was changed");
		assertThat(this.queue.hash("payloads")).hasSize(2);
	}

	private static String[] with(String[] some, String... more) {
		return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
	}

	/**
	 * Put jobs with these numbers into a place for waiting jobs.
	 */
	private static void waiting(ScriptFixture queue, String place, int... jobs) {
		for (int job : jobs) {
			queue.set("payloads", id(job), payload(job));
			queue.put(place, job);
			if (place.equals("suspects")) {
				queue.set("crashes", id(job), "2 1 p alone");
			}
		}
	}

	private void park(int job, String reason) {
		this.queue.set("payloads", id(job), payload(job));
		this.queue.set("parked", id(job), reason);
	}

	private void score(String place, int job, long score) {
		this.queue.set("payloads", id(job), payload(job));
		this.queue.template().opsForZSet().add(this.queue.key(place), id(job), score);
	}

	private void remove(String place, int job) {
		this.queue.template().opsForZSet().remove(this.queue.key(place), id(job));
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(job));
	}

	private List<String> browse(String place, int wanted, String after, String id) {
		return run(AdminStore.BROWSE, place, wanted, after, id);
	}

	private List<String> describe(int job) {
		return run(AdminStore.DESCRIBE, id(job));
	}

	private String edit(int job, String stored, String payload, String digest) {
		return text(AdminStore.EDIT, id(job), JobScript.sha1(bytes(stored)), payload, digest, "", "");
	}

	private String text(JobScript script, Object... arguments) {
		return run(script, arguments).get(0);
	}

	/**
	 * Move a ready job.
	 */
	private static void move(ScriptFixture from, ScriptFixture target) {
		Object[] in = moveOut(from, "ready", target.queue());
		assertThat(moveIn(target, in)).isEqualTo("D");
		assertThat(Answers.text(from.run(ScriptFixture.MOVE_END, id(1), in[1], "moved"), 0)).isEqualTo("D");
	}

	private Object[] moveOut(String place, String target) {
		return moveOut(this.queue, place, target);
	}

	/**
	 * Take job 1 out of a queue.
	 * @return the arguments for the target queue
	 */
	private static Object[] moveOut(ScriptFixture from, String place, String target) {
		List<String> out = texts(from.run(ScriptFixture.MOVE_OUT, id(1), place, target));
		assertThat(out).hasSize(5);
		return with(new String[] { id(1) }, out.toArray(String[]::new));
	}

	private static String moveIn(ScriptFixture target, Object[] in) {
		return Answers.text(target.run(ScriptFixture.MOVE_IN, in), 0);
	}

	/**
	 * Make all moves look as if they had begun a minute ago.
	 */
	private void breakOff() {
		this.queue.hash("parked").forEach((id, reason) -> {
			int end = reason.lastIndexOf(' ') + 1;
			long begun = Long.parseLong(reason.substring(end)) - 60_000_000;
			this.queue.set("parked", id, reason.substring(0, end) + begun);
		});
	}

	private List<String> run(JobScript script, Object... arguments) {
		return texts(this.queue.run(script, arguments));
	}

	private static List<String> texts(List<Object> values) {
		List<String> texts = new ArrayList<>();
		for (Object value : values) {
			texts
				.add((value instanceof byte[] bytes) ? Answers.utf8(bytes) : (value != null) ? value.toString() : null);
		}
		return texts;
	}

}
