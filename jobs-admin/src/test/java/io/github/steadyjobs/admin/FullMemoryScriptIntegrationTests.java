package io.github.steadyjobs.admin;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.OwnRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.admin.AdminScripts.change;
import static io.github.steadyjobs.admin.AdminScripts.purge;
import static io.github.steadyjobs.admin.AdminScripts.releaseLock;
import static io.github.steadyjobs.audit.AuditScripts.count;
import static io.github.steadyjobs.audit.AuditScripts.heal;
import static io.github.steadyjobs.audit.AuditScripts.quarantine;
import static io.github.steadyjobs.audit.AuditScripts.repair;
import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.gathered;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.lock;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for scripts on a server that has reached its {@code maxmemory}: such a server
 * refuses new jobs and moves, but existing jobs run and end as usual (SK-81).
 */
class FullMemoryScriptIntegrationTests {

	private static OwnRedis server;

	private final ScriptFixture queue = new ScriptFixture(server.redis());

	@BeforeAll
	static void start() {
		server = OwnRedis.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@AfterEach
	void freeMemoryAndCheck() {
		server.freeMemory();
		this.queue.assertOnePlaceEach();
	}

	@Test
	void enqueueIsRefusedAndStoresNothing() {
		this.queue.enqueue(1);
		Map<String, Object> before = this.queue.contents();
		server.fillMemory();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.enqueue(2))
			.has(reason(Reason.FULL));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.enqueue(job(2, HOUR)))
			.has(reason(Reason.FULL));
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.queue.enqueue(locked(2, LockKind.UNTIL_EXECUTED, "d"),
					locked(3, LockKind.UNTIL_EXECUTED, "e"), locked(4, LockKind.UNTIL_EXECUTED, "d")))
			.has(reason(Reason.FULL));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void enqueueWhenItWouldTakeALockOverIsRefusedAndLeavesTheOneMore() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.claim(1);
		this.queue.enqueue(locked(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.set("locks", "d", lock(1, 0, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE));
		Map<String, Object> before = this.queue.contents();
		server.fillMemory();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.queue.enqueue(locked(3, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "d")))
			.has(reason(Reason.FULL));
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(id(2));
	}

	@Test
	void gatherIsRefusedAndStoresNothing() {
		this.queue.join(PROCESS);
		this.queue.gather(ordered(1, "1", "[1]"));
		this.queue.gather(ordered(2, "1", "[1]"));
		this.queue.claim(1);
		Map<String, Object> before = this.queue.contents();
		server.fillMemory();
		for (int key = 1; key <= 3; key++) {
			NewJob next = ordered(key, "2", "[2]");
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.gather(next))
				.has(reason(Reason.FULL));
		}
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void orderedJobsGoOn() {
		this.queue.join(PROCESS);
		this.queue.gather(ordered(1, "1", "[1]"), ordered(1, "2", "[2]"));
		this.queue.claim(1);
		this.queue.gather(ordered(1, "3", "[3]"));
		server.fillMemory();
		assertThat(this.queue.advance(PROCESS, 1, token(1), 6)).isEqualTo("D");
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1).replace("\n\n", "\n")))
			.isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(Answers.text(this.queue.run(OrderedJobs.REVIVE, id(9), id(1), "fresh\n2 [2]\n", 1, 100), 0))
			.isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsOnly(Map.entry(id(1), "fresh\n2 [2]\n3 [3]\n"));
		this.queue.claim(1);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(2))).isEqualTo("D");
	}

	@Test
	void backlogsAreWorkedOffAndDropped() {
		this.queue.join(PROCESS);
		this.queue.gather(payloads(1, 0, 700));
		this.queue.gather(payloads(1, 700, 1400));
		this.queue.gather(payloads(2, 0, 100));
		this.queue.gather(payloads(3, 0, 1));
		Map<String, Object> before = this.queue.contents();
		server.fillMemory();
		// The payloads go to the backlog, to a new backlog and to the front.
		for (NewJob[] more : List.of(payloads(1, 1400, 1401), payloads(3, 1, 100), payloads(3, 1, 2))) {
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.gather(more))
				.has(reason(Reason.FULL));
		}
		assertThat(this.queue.contents()).isEqualTo(before);
		Taken first = this.queue.take(1).get(0);
		assertThat(this.queue.settle(PROCESS, "failed", 1, token(1), first.payload(), 0)).isEqualTo("D");
		this.queue.take(1);
		assertThat(this.queue.exhaust(PROCESS, 2, token(2), 9, "dead", gathered(2, "1 [1]"))).isEqualTo("D");
		this.queue.take(1);
		assertThat(this.queue.acknowledge(PROCESS, id(3), token(3))).isEqualTo("D");
		assertThat(Answers.text(this.queue.run(OrderedJobs.REVIVE, id(9), id(1), "fresh\n-1 [-1]\n", 1, 2000), 0))
			.isEqualTo("D");
		assertThat(text(this.queue, ScriptFixture.CANCEL, "p/1", 1, id(2))).isEqualTo("CANCELLED");
		assertThat(new String(this.queue.take(1).get(0).payload())).startsWith("fresh\n-1 [-1]\n0 [0]\n");
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(4))).isEqualTo("D");
		assertThat(new String(this.queue.take(1).get(0).payload())).hasLineCount(402);
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
	}

	private static NewJob[] payloads(int key, int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((number) -> ordered(key, Integer.toString(number), "[" + number + "]"))
			.toArray(NewJob[]::new);
	}

	@Test
	void orderedJobsAreKilledAndRemoved() {
		this.queue.gather(ordered(1, "1", "[1]"), ordered(1, "2", "[2]"), ordered(2, "1", "[1]"));
		server.fillMemory();
		String digest = new String(JobScript.sha1(ScriptFixture.bytes(gathered(1, "1 [1]", "2 [2]"))));
		assertThat(text(this.queue, AdminStore.CHANGE, "", "", "dead", "ready", 1, id(1), 10, HOUR, digest, id(9),
				"dead", gathered(1, "2 [2]")))
			.isEqualTo("D");
		assertThat(text(this.queue, ScriptFixture.CANCEL, "p/1", 1, id(1))).isEqualTo("CANCELLED");
		assertThat(text(this.queue, ScriptFixture.CANCEL, "p/1", 2, id(3))).isEqualTo("GONE");
		assertThat(text(this.queue, AdminStore.CHANGE, "p/1", 3, "deleted", "ready", 1, id(2))).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(9));
	}

	@Test
	void pausesAreHeededAndEnd() {
		this.queue.join(PROCESS);
		this.queue.enqueue(ScriptFixture.named(1, "Mail.send"));
		server.fillMemory();
		assertThat(this.queue.tellPauses(5, "5 0 -")).isEqualTo("D");
		assertThat(this.queue.statusOfClaim(1)).isEqualTo("PAUSED");
		assertThat(this.queue.tellPauses(6, "", "6 0 - Mail.send")).isEqualTo("D");
		assertThat(this.queue.take(1)).isEmpty();
		assertThat(this.queue.tellPauses(7, "")).isEqualTo("D");
		assertThat(this.queue.unpause()).isEqualTo(1);
		assertThat(this.queue.take(1)).hasSize(1);
	}

	@Test
	void pausesAreMadeAndEnded() {
		PauseStore pauses = new PauseStore(server.redis().connections(), server.redis().prefix());
		server.redis().template().opsForSet().add(server.redis().prefix() + ":queues", this.queue.queue());
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		Target target = Target.queue(this.queue.queue());
		server.fillMemory();
		Order order = Order.byPerson(null, "ann", "Memory is full");
		assertThat(pauses.change(target, (standing) -> standing == null, order).done()).isTrue();
		assertThat(pauses.read().isPaused(this.queue.queue())).isTrue();
		assertThat(this.queue.statusOfClaim(1)).isEqualTo("PAUSED");
		assertThat(pauses.change(target, (standing) -> standing != null, null).done()).isTrue();
		assertThat(pauses.read().all()).isEmpty();
		assertThat(this.queue.take(1)).hasSize(1);
	}

	@Test
	void actionsOfOperatorsAreNoted() {
		JobActivity activity = new JobActivity(server.redis().connections(), server.redis().prefix(),
				new JobsActor(() -> null, () -> "ann"), (action) -> {
				});
		server.fillMemory();
		activity.changed(OperatorChange.of("purge", "planned", "queue", "mail").stepOf("b0"));
		activity.changed(OperatorChange.of("purge", "planned", "queue", "mail").stepOf("b0"));
		assertThat(activity.page("", 10).actions()).extracting(OperatorAction::count).containsExactly(2L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "parked", "ready", "suspects" })
	void jobsAreKilled(String place) {
		waiting(place);
		server.fillMemory();
		assertThat(change(this.queue, "dead", place, id(1))).isEqualTo("D");
		assertThat(this.queue.sorted("dead")).containsExactly(id(1));
		assertThat(this.queue.stat("dead")).isOne();
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof").containsKey(place);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void jobsAreDeleted(String place) {
		waiting(place);
		server.fillMemory();
		assertThat(change(this.queue, "deleted", place, id(1))).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof").containsKey(place);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void placesArePurged(String place) {
		waiting(place);
		server.fillMemory();
		assertThat(purge(this.queue, place, 10)).isEqualTo("2 0");
		assertThat(this.queue.contents()).doesNotContainKeys("payloads", "locks", "lockof", "since", place);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked" })
	void jobsAreMadeReady(String place) {
		waiting(place);
		server.fillMemory();
		assertThat(change(this.queue, "head", place, id(1), id(2))).isEqualTo("DD");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.list("wake")).isNotEmpty();
		assertThat(this.queue.take(2)).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready", "suspects" })
	void jobsAreEdited(String place) {
		waiting(place);
		String before = this.queue.hash("payloads").get(id(1));
		long due = this.queue.now() + 2 * HOUR;
		server.fillMemory();
		assertThat(text(this.queue, AdminStore.EDIT, id(1), JobScript.sha1(bytes(before)), "new", "fresh", "", ""))
			.isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "new");
		assertThat(this.queue.hash("locks")).containsOnlyKeys("fresh");
		assertThat(text(this.queue, AdminStore.EDIT, id(1), JobScript.sha1(bytes("new")), "newer", "", place, due))
			.isEqualTo("D");
		assertThat(this.queue.score(place.equals("retries") ? place : "scheduled", 1)).isEqualTo(due);
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retries", "dead", "parked", "ready" })
	void moveIsRefusedWhereItAddsAndGoesOnOnceMemoryIsFree(String place) {
		ScriptFixture target = this.queue.sibling();
		waiting(place);
		server.fillMemory();
		List<Object> out = this.queue.run(ScriptFixture.MOVE_OUT, id(1), place, target.queue());
		assertThat(out).hasSize(5);
		Object[] in = Stream.concat(Stream.of(id(1)), out.stream()).toArray();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> target.run(ScriptFixture.MOVE_IN, in))
			.has(reason(Reason.FULL));
		assertThat(target.contents()).isEmpty();
		assertThat(this.queue.hash("parked").get(id(1))).startsWith("moving:" + target.queue());
		server.freeMemory();
		assertThat(text(target, ScriptFixture.MOVE_IN, in)).isEqualTo("D");
		server.fillMemory();
		assertThat(text(this.queue, ScriptFixture.MOVE_END, id(1), out.get(0), "moved")).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(target.hash("payloads")).containsOnlyKeys(id(1));
		target.assertOnePlaceEach();
	}

	@Test
	void moveIsRefusedBeforeTheJobHasLeftItsPlace() {
		ScriptFixture target = this.queue.sibling();
		MoveStore moves = new MoveStore(server.redis().connections(), server.redis().prefix());
		waiting("ready");
		Map<String, Object> before = this.queue.contents();
		server.fillMemory();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> moves.move(this.queue.queue(), QueuePart.READY, id(1), target.queue()))
			.has(reason(Reason.FULL));
		assertThat(this.queue.contents()).isEqualTo(before);
		server.freeMemory();
		assertThat(moves.move(this.queue.queue(), QueuePart.READY, id(1), target.queue())).isTrue();
		assertThat(target.ready()).containsExactly(id(1));
	}

	@Test
	void closeShardIsRefusedAndChangesNothing() {
		server.fillMemory();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.closeShard(2))
			.has(reason(Reason.FULL));
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void retryWhenLockedProlongsTheLock() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.UNTIL_EXECUTED, "d"));
		this.queue.claim(1);
		String before = this.queue.hash("locks").get("d");
		server.fillMemory();
		assertThat(this.queue.retry(1, 1, HOUR)).isEqualTo("D");
		assertThat(this.queue.hash("locks").get("d")).isGreaterThan(before);
	}

	@Test
	void enqueueWhenRepeatedAfterMemoryIsFreeStores() {
		server.fillMemory();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.queue.enqueueCall("producer/0", 1, job(1)))
			.has(reason(Reason.FULL));
		server.freeMemory();
		assertThat(this.queue.enqueueCall("producer/0", 1, job(1))).isEqualTo("S");
	}

	@Test
	void enqueueWhenRepeatedAfterItWasStoredAnswersTheSame() {
		this.queue.enqueueCall("producer/0", 1, job(1));
		server.fillMemory();
		assertThat(this.queue.enqueueCall("producer/0", 1, job(1))).isEqualTo("S");
	}

	@Test
	void queueIsWorkedEmpty() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 50));
		this.queue.cancel(7);
		server.fillMemory();
		for (long claim = 1; claim <= 5; claim++) {
			List<Taken> claimed = this.queue.take(10);
			for (Taken job : claimed) {
				assertThat(this.queue.acknowledge(PROCESS, job.id(), token(claim))).isEqualTo("D");
			}
		}
		assertThat(this.queue.contents()).doesNotContainKeys("ready", "working", "payloads", "cancelled");
		assertThat(this.queue.stat("done")).isEqualTo(49);
	}

	@Test
	void claimWhenQueueIsEmptyIsRecorded() {
		this.queue.join(PROCESS);
		server.fillMemory();
		assertThat(this.queue.statusOfClaim(1)).isEqualTo("OK");
		assertThat(this.queue.hash("claims")).containsValue("1");
	}

	@Test
	void claimWhenPausedIsRecorded() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.pause();
		server.fillMemory();
		assertThat(this.queue.statusOfClaim(1)).isEqualTo("PAUSED");
		assertThat(this.queue.hash("claims")).containsValue("1");
	}

	@Test
	void claimWhenJobsAreDueMakesThemReady() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1, 0), job(2, 0));
		server.fillMemory();
		assertThat(this.queue.take(1)).extracting(Taken::id).containsExactly(id(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.hash("since")).containsOnlyKeys(id(2));
	}

	@Test
	void claimWhenRepeatedGivesTheSame() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		this.queue.claim(PROCESS, 1, 2, 200);
		this.queue.cancel(1);
		server.fillMemory();
		assertThat(this.queue.take(PROCESS, 1, 2, 200)).extracting(Taken::id).containsExactly(ids(1, 2));
	}

	@Test
	void settlementsAreCarriedOut() {
		this.queue.working(1, 2, 3, 4, 5, 6, 7);
		server.fillMemory();
		assertThat(this.queue.retry(1, 1, HOUR)).isEqualTo("D");
		assertThat(this.queue.bury(PROCESS, 2, token(2), "failed", 10, HOUR)).isEqualTo("D");
		assertThat(this.queue.requeue(PROCESS, id(3), token(3))).isEqualTo("D");
		assertThat(this.queue.park(PROCESS, 4, token(4), "unbound:Mail.send/a", "changed")).isEqualTo("D");
		assertThat(this.queue.acknowledge(PROCESS, id(5), token(5))).isEqualTo("D");
		assertThat(this.queue.discard(PROCESS, 6, token(6))).isEqualTo("D");
		assertThat(this.queue.retryIn(7, 7, HOUR, "slow")).isEqualTo("D");
		assertThat(this.queue.contents()).containsKeys("retries", "dead", "ready", "parked")
			.doesNotContainKey("working");
	}

	@Test
	void settlementsOfCancelledJobsAreCarriedOut() {
		this.queue.working(1, 2, 3, 4, 5);
		for (int job = 1; job <= 5; job++) {
			this.queue.cancel(job);
		}
		server.fillMemory();
		assertThat(this.queue.retry(1, 1, HOUR)).isEqualTo("C");
		assertThat(this.queue.bury(PROCESS, 2, token(2), "failed", 10, HOUR)).isEqualTo("C");
		assertThat(this.queue.requeue(PROCESS, id(3), token(3))).isEqualTo("C");
		assertThat(this.queue.park(4, 4, "unknown:Mail.send")).isEqualTo("C");
		assertThat(this.queue.acknowledge(PROCESS, id(5), token(5))).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "cancelled");
	}

	@Test
	void unparkIsCarriedOut() {
		this.queue.working(1, 2);
		this.queue.park(1, 1, "unknown:Mail.send");
		this.queue.park(2, 2, "unknown:Mail.send");
		server.fillMemory();
		assertThat(this.queue.unpark("0", 1000, "unknown:Mail.send")).containsExactly("0", 2L);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	void cancelIsCarriedOut() {
		this.queue.working(1, 2, 3);
		this.queue.retry(2, 2, HOUR);
		this.queue.park(3, 3, "unknown:Mail.send");
		this.queue.enqueue(job(4), job(5, HOUR));
		server.fillMemory();
		assertThat(this.queue.cancel(1)).isEqualTo("RUNNING");
		assertThat(List.of(this.queue.cancel(2), this.queue.cancel(3), this.queue.cancel(4), this.queue.cancel(5)))
			.containsOnly("CANCELLED");
		assertThat(this.queue.set("cancelled")).containsExactlyInAnyOrder(ids(1, 4));
	}

	@Test
	void cancelWhenLockedWithinEndsTheWindow() {
		this.queue.enqueue(locked(1, LockKind.WITHIN, "d"));
		server.fillMemory();
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.contents()).doesNotContainKeys("locks", "lockof", "windows");
	}

	@Test
	void joinAndBeatAreCarriedOut() {
		server.fillMemory();
		assertThat(this.queue.joined("p1")).isEqualTo("OK");
		assertThat(this.queue.counters("p1")).isEqualTo(Map.of("p1", 2L));
		assertThat(this.queue.hash("meta")).containsEntry("schema", "1").containsKey("epoch");
	}

	@Test
	void beatWhenDeadAreTooManyEndsThem() {
		this.queue.working(1, 2);
		this.queue.bury(1, 1, 10, HOUR);
		this.queue.bury(2, 2, 10, HOUR);
		server.fillMemory();
		this.queue.beatKeeping(1, HOUR);
		assertThat(this.queue.sorted("dead")).containsExactly(id(2));
	}

	@Test
	void leaveIsCarriedOut() {
		this.queue.working(1, 2);
		server.fillMemory();
		assertThat(this.queue.left(PROCESS)).isEqualTo("OK 1");
		assertThat(this.queue.left(PROCESS)).isEqualTo("OK 0");
		assertThat(this.queue.left(PROCESS)).isEqualTo("GONE 0");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	void recoverIsCarriedOut() {
		this.queue.working(1, 2);
		this.queue.set("crashes", id(2), "1 1700000000000 p0");
		server.fillMemory();
		assertThat(this.queue.recovered(PROCESS)).endsWith(0L);
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.list("suspects")).containsExactly(id(2));
	}

	@Test
	void suspectIsClaimed() {
		this.queue.working(1);
		this.queue.recover(PROCESS, "1", 1000, 2);
		this.queue.join("p2");
		server.fillMemory();
		assertThat(this.queue.takeSuspect("p2", 1)).hasSize(1);
		assertThat(this.queue.takeSuspect("p2", 2)).isEmpty();
		assertThat(this.queue.requeue("p2", id(1), CAPSULE + "/1")).isEqualTo("D");
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
	}

	@Test
	void sampleAnswers() {
		this.queue.enqueue(1, 2);
		server.fillMemory();
		assertThat(this.queue.sample().ready()).isEqualTo(2);
	}

	@Test
	void inspectAnswers() {
		this.queue.enqueue(1, 2);
		server.fillMemory();
		assertThat(count(this.queue, "ready")).isEqualTo(2);
	}

	@Test
	void repairsAreCarriedOut() {
		this.queue.working(1);
		this.queue.enqueue(2, 3);
		this.queue.template().delete(this.queue.key("ready"));
		this.queue.put("retries", 1);
		this.queue.put("dead", 3);
		this.queue.put("ready", 3);
		server.fillMemory();
		assertThat(repair(this.queue, ids(1, 2, 3))).isEqualTo("RRR");
	}

	@Test
	void locksAreReleased() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.WITHIN, "w"), locked(2, LockKind.WHILE_EXECUTING, "m"),
				locked(3, LockKind.WHILE_EXECUTING, "m"));
		this.queue.claim(3);
		server.fillMemory();
		assertThat(releaseLock(this.queue, "w", 1)).isEqualTo("RELEASED");
		assertThat(releaseLock(this.queue, "m", 2)).isEqualTo("RELEASED");
		assertThat(this.queue.ready()).containsExactly(id(3));
	}

	@Test
	void locksAreHealed() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.WHILE_EXECUTING, "m"), locked(2, LockKind.WHILE_EXECUTING, "m"));
		this.queue.claim(2);
		this.queue.template().delete(this.queue.key("mutexes"));
		this.queue.set("again", "e", id(3) + " 36ee80 payload");
		this.queue.template().opsForZSet().add(this.queue.key("mutexes"), "m=" + id(9), 0);
		server.fillMemory();
		assertThat(heal(this.queue, "again", "e", id(3) + " 36ee80 ")).isOne();
		assertThat(heal(this.queue, "parked", id(2), "mutex:m")).isOne();
		assertThat(heal(this.queue, "mutexes", "m=" + id(9), "0")).isOne();
		assertThat(this.queue.ready()).containsExactly(ids(2, 3));
	}

	@Test
	void quarantineIsCarriedOut() {
		this.queue.spoil(this.queue.key("ready"));
		server.fillMemory();
		assertThat(quarantine(this.queue)).isOne();
	}

	/**
	 * Put two waiting jobs into a place. The first job has a lock.
	 */
	private void waiting(String place) {
		this.queue.join(PROCESS);
		for (int job = 1; job <= 2; job++) {
			this.queue.set("payloads", id(job), payload(job));
			this.queue.put(place, job);
		}
		this.queue.set("locks", "d", lock(1, this.queue.now() + HOUR, LockKind.UNTIL_EXECUTED));
		this.queue.set("lockof", id(1), LockKind.UNTIL_EXECUTED.lock(HOUR, "d"));
	}

	private static String text(ScriptFixture queue, JobScript script, Object... arguments) {
		return Answers.text(queue.run(script, arguments), 0);
	}

}
