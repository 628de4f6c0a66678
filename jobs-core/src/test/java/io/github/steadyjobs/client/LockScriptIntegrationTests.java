package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTING;
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
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for the locks of jobs in all scripts that acquire, keep or release them.
 */
class LockScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	LockScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	// Enqueueing

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_EXECUTED_AND_ONCE_MORE", "WITHIN" })
	@DisplayName("GL-03, GL-12: an equal job is dropped while the first job waits, and the result names the first job")
	void enqueueWhenEqualJobWaitsDropsTheDuplicate(LockKind kind) {
		assertThat(this.queue.enqueue(locked(1, kind, D))).isEqualTo("S");
		Map<String, Object> before = jobs();
		assertThat(this.queue.enqueue(locked(2, kind, D))).isEqualTo("D " + id(1));
		assertThat(jobs()).isEqualTo(before);
	}

	@Test
	void enqueueWhenManyHaveLocksLeavesNoListThatIsSearched() {
		this.queue.enqueue(IntStream.rangeClosed(1, 100)
			.mapToObj((job) -> locked(job, UNTIL_EXECUTED, "d" + job))
			.toArray(NewJob[]::new));
		assertThat(this.queue.isSearched("locks") || this.queue.isSearched("lockof")).isFalse();
		assertThat(this.queue.hash("locks")).hasSize(100).doesNotContainKey("");
		assertThat(this.queue.hash("lockof")).hasSize(100).doesNotContainKey("");
	}

	@Test
	void enqueueWhenDigestDiffersStoresBoth() {
		assertThat(this.queue.enqueue(locked(1, UNTIL_EXECUTED, D), locked(2, UNTIL_EXECUTED, "other"))).isEqualTo("S");
	}

	@Test
	void enqueueWhenDuplicateIsInTheSameCallDropsIt() {
		assertThat(this.queue.enqueue(locked(1, UNTIL_EXECUTED, D), ScriptFixture.job(2), locked(3, UNTIL_EXECUTED, D)))
			.isEqualTo("SSD " + id(1));
		assertThat(this.queue.ready()).containsExactly(ScriptFixture.ids(1, 2));
	}

	@Test
	void enqueueWhenSomeAreDelayedKeepsDelaysAndLocksApart() {
		assertThat(this.queue.enqueue(locked(1, UNTIL_EXECUTED, D), ScriptFixture.job(2, 1000),
				locked(3, UNTIL_EXECUTED, D), locked(4, UNTIL_EXECUTED, "other")))
			.isEqualTo("SSDS " + id(1));
		assertThat(this.queue.ready()).containsExactly(ScriptFixture.ids(1, 4));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1), id(2), id(4));
		assertThat(this.queue.hash("lockof")).containsOnlyKeys(id(1), id(4));
	}

	@ParameterizedTest
	@MethodSource("similarLocks")
	@DisplayName("GL-03: jobs with similar locks, of which only the digests are passed, are stored like other jobs with locks")
	void enqueueWhenLocksAreSimilarStoresTheSame(LockKind kind, List<String> digests) {
		ScriptFixture other = this.queue.sibling();
		NewJob[] jobs = new NewJob[digests.size()];
		List<Object> whole = new ArrayList<>(List.of("producer/0", 2, jobs.length));
		for (int i = 0; i < jobs.length; i++) {
			jobs[i] = locked(10 + i, kind, digests.get(i));
			whole.addAll(List.of(jobs[i].id(), jobs[i].payload()));
		}
		Stream.of(jobs).forEach((job) -> whole.add(job.lock()));
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		other.enqueue(locked(1, UNTIL_EXECUTED, D));
		String answer = this.queue.enqueueCall("producer/0", 2, jobs);
		assertThat(answer).isEqualTo(other.text(ScriptFixture.ENQUEUE, whole.toArray()));
		assertThat(stored(this.queue)).isEqualTo(stored(other));
		assertRepeatable(() -> assertThat(this.queue.enqueueCall("producer/0", 2, jobs)).isEqualTo(answer));
	}

	static Stream<Object[]> similarLocks() {
		List<String> many = IntStream.range(0, 100).mapToObj((number) -> "d" + number).toList();
		return Stream.of(LockKind.values())
			.flatMap((kind) -> Stream
				.of(List.of("a", "b", "c"), List.of("a", "b", "a", "c", "b"), List.of("a", D, "b"), many)
				.map((digests) -> new Object[] { kind, digests }));
	}

	/**
	 * Return what is stored about jobs and locks, without the ends of the locks.
	 */
	private static Map<String, Object> stored(ScriptFixture queue) {
		Map<String, String> locks = new HashMap<>(queue.hash("locks"));
		locks.replaceAll((digest, lock) -> lock.substring(0, 24) + lock.substring(lock.length() - 1));
		return Map.of("ready", queue.ready(), "payloads", queue.hash("payloads"), "lockof", queue.hash("lockof"),
				"locks", locks, "wake", queue.list("wake"));
	}

	@Test
	@DisplayName("GL-19: the end of a lock is the time of Redis and the TTL")
	void enqueueWhenLocksAreSimilarLocksForTheirTtl() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D), locked(2, UNTIL_EXECUTED, "other"));
		assertThat(this.queue.hash("locks").values())
			.allSatisfy((lock) -> assertThat(Long.parseLong(lock.substring(24, lock.length() - 1), 16))
				.isCloseTo(this.queue.now() + HOUR, within(60_000L)));
	}

	@Test
	void enqueueWhenLocksAreSimilarAndDamagedStoresNothing() {
		for (String key : List.of("calls", "payloads", "ready", "locks", "lockof")) {
			assertRefusesWrongType(key, (queue) -> {
			}, (queue) -> queue.enqueue(locked(2, UNTIL_EXECUTED, D), locked(3, UNTIL_EXECUTED, "other")));
		}
	}

	@Test
	@DisplayName("GL-X7: a lock may expire between two commands")
	void enqueueWhenCallIsRepeatedAnswersTheSameAndStoresNothingMore() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		assertRepeatable(() -> assertThat(
				this.queue.enqueueCall("p/7", 1, locked(2, UNTIL_EXECUTED, D), locked(3, UNTIL_EXECUTED, "other")))
			.isEqualTo("DS " + id(1)));
	}

	@Test
	@DisplayName("GL-15, GL-X3: the lock of a scheduled job lasts for its TTL after the due time")
	void enqueueWhenScheduledLocksUntilDueAndTtl() {
		NewJob job = locked(1, UNTIL_EXECUTING, D);
		this.queue.enqueue(new NewJob(job.id(), job.payload(), 2 * HOUR, job.lock(), null, null));
		String lock = this.queue.hash("locks").get(D).substring(24);
		assertThat(Long.parseLong(lock.substring(0, lock.length() - 1), 16)).isCloseTo(this.queue.now() + 3 * HOUR,
				within(60_000L));
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTING, D))).isEqualTo("D " + id(1));
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED" })
	@DisplayName("AMB-9, GL-17: the lock of a lost job is taken over by the next job")
	void enqueueWhenHolderIsGoneTakesTheLockOver(LockKind kind) {
		this.queue.set("locks", D, lock(1, this.queue.now() + HOUR, kind));
		this.queue.set("lockof", id(1), kind.letter() + "36ee80 " + D);
		assertThat(this.queue.enqueue(locked(2, kind, D))).isEqualTo("T");
		assertThat(this.queue.enqueue(locked(3, kind, D))).isEqualTo("D " + id(2));
	}

	@Test
	@DisplayName("GL-19: as a last resort, a lock is released when its TTL expires")
	void enqueueWhenTtlHasPassedStoresBoth() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		this.queue.set("locks", D, lock(1, this.queue.now(), UNTIL_EXECUTED));
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("X");
	}

	@Test
	void enqueueWhenLockIsDamagedReplacesIt() {
		this.queue.set("locks", D, "neither id nor time");
		assertThat(this.queue.enqueue(locked(1, UNTIL_EXECUTED, D))).isEqualTo("S");
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("D " + id(1));
	}

	@Test
	void enqueueWhenWindowIsOverForgetsItWithOneOfAnother() {
		for (int job = 1; job <= 12; job++) {
			this.queue.set("locks", "window" + job, lock(job, job, WITHIN));
			this.queue.template().opsForZSet().add(this.queue.key("windows"), "window" + job, job);
		}
		this.queue.set("locks", "renewed", lock(13, this.queue.now() + HOUR, WITHIN));
		this.queue.template().opsForZSet().add(this.queue.key("windows"), "renewed", 0);
		this.queue.enqueue(locked(20, WITHIN, D));
		assertThat(this.queue.hash("locks")).containsOnlyKeys("renewed", "window12", D);
		this.queue.enqueue(locked(21, WITHIN, "other"));
		assertThat(this.queue.hash("locks")).containsOnlyKeys("renewed", D, "other");
	}

	// Running

	@Test
	@DisplayName("GL-11: with 'until executing', the lock is released by the claim")
	void claimWhenLockedUntilExecutingReleasesTheLock() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTING, D));
		this.queue.claim(1);
		assertThat(this.queue.has("locks")).isFalse();
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTING, D))).isEqualTo("S");
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.enqueue(locked(3, UNTIL_EXECUTING, D))).isEqualTo("D " + id(2));
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTED", "WITHIN" })
	@DisplayName("GL-12: with 'until executed', the lock is kept while the job runs")
	void claimWhenLockedForLongerKeepsTheLock(LockKind kind) {
		running(kind);
		assertThat(this.queue.enqueue(locked(2, kind, D))).isEqualTo("D " + id(1));
	}

	@Test
	void retryWhenLockedUntilExecutedKeepsTheLock() {
		running(UNTIL_EXECUTED);
		this.queue.retry(1, 1, HOUR);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("D " + id(1));
	}

	@ParameterizedTest
	@MethodSource("finalEnds")
	@DisplayName("AMB-10: whatever ends a job releases its lock, and no other lock")
	void endWhenLockedReleasesTheLock(String how, LockKind kind) {
		running(kind);
		end(how);
		assertThat(this.queue.has("locks")).isFalse();
		assertThat(this.queue.has("lockof")).isFalse();
		assertThat(this.queue.enqueue(locked(2, kind, D))).isEqualTo("S");
	}

	@ParameterizedTest
	@MethodSource("finalEnds")
	@DisplayName("only the owner releases a lock")
	void endWhenLockBelongsToAnotherLeavesIt(String how, LockKind kind) {
		running(kind);
		this.queue.set("locks", D, lock(9, this.queue.now() + HOUR, kind));
		end(how);
		assertThat(this.queue.hash("locks").get(D)).startsWith(id(9));
	}

	static Stream<Object[]> finalEnds() {
		return Stream
			.of("done", "dead", "discarded", "cancelled and done", "cancelled and failed", "cancelled and requeued",
					"cancelled and parked", "cancelled and recovered")
			.flatMap((how) -> Stream.of(UNTIL_EXECUTING, UNTIL_EXECUTED).map((kind) -> new Object[] { how, kind }));
	}

	@Test
	void cancelWhenJobWaitsReleasesTheLock() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, D));
		this.queue.cancel(1);
		assertThat(this.queue.has("lockof")).isFalse();
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("S");
	}

	@Test
	@DisplayName("GL-12: a job that runs although it was cancelled still keeps equal jobs out")
	void cancelWhenJobRunsKeepsTheLockUntilItHasEnded() {
		running(UNTIL_EXECUTED);
		this.queue.cancel(1);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("D " + id(1));
	}

	@Test
	void recoverWhenLockedUntilExecutedLeavesTheLockWithTheJob() {
		running(UNTIL_EXECUTED);
		this.queue.recover(PROCESS);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED, D))).isEqualTo("D " + id(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "requeued", "recovered", "unparked" })
	@DisplayName("GL-11: a job that was put back at the head of the queue keeps equal jobs out again")
	void returnWhenLockedUntilExecutingTakesTheLockAgain(String how) {
		running(UNTIL_EXECUTING);
		goBack(how);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTING, D))).isEqualTo("D " + id(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "requeued", "recovered", "unparked" })
	void returnWhenDuplicateWaitsByNowKeepsBoth(String how) {
		running(UNTIL_EXECUTING);
		this.queue.enqueue(locked(2, UNTIL_EXECUTING, D));
		goBack(how);
		assertThat(this.queue.ready()).containsExactly(ScriptFixture.ids(1, 2));
		assertThat(this.queue.hash("locks").get(D)).startsWith(id(2));
	}

	// Run once more

	@Test
	@DisplayName("GL-13: a duplicate before the start does not cause another run")
	void enqueueWhenHolderHasNotStartedAsksForNothing() {
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		assertThat(this.queue.has("again")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "done", "dead", "discarded", "cancelled and done", "cancelled and failed",
			"cancelled and requeued", "cancelled and parked", "cancelled and recovered" })
	@DisplayName("GL-13, GL-X5, GL-X6: the newest duplicate runs after the holder, takes the lock, and may itself be followed by a duplicate")
	void endWhenDuplicatesWereDroppedMeanwhileRunsTheNewestOnceMore(String how) {
		running(UNTIL_EXECUTED_AND_ONCE_MORE);
		assertThat(this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D))).isEqualTo("R " + id(1));
		assertThat(this.queue.enqueue(locked(3, UNTIL_EXECUTED_AND_ONCE_MORE, D))).isEqualTo("R " + id(1));
		end(how);
		assertThat(this.queue.ready()).containsExactly(id(3));
		assertThat(this.queue.hash("payloads")).containsEntry(id(3), payload(3)).doesNotContainKey(id(2));
		assertThat(this.queue.has("again")).isFalse();
		assertThat(this.queue.list("wake")).isNotEmpty();
		assertThat(this.queue.enqueue(locked(4, UNTIL_EXECUTED_AND_ONCE_MORE, D))).isEqualTo("D " + id(3));
		this.queue.join(PROCESS);
		this.queue.claim(PROCESS, 50, 1, 200);
		assertThat(this.queue.enqueue(locked(5, UNTIL_EXECUTED_AND_ONCE_MORE, D))).isEqualTo("R " + id(3));
		this.queue.acknowledge(PROCESS, id(3), token(50));
		assertThat(this.queue.ready()).containsExactly(id(5));
	}

	@ParameterizedTest
	@ValueSource(strings = { "retried", "requeued", "recovered", "unparked" })
	void returnWhenDuplicatesWereDroppedMeanwhileKeepsThemForTheEnd(String how) {
		running(UNTIL_EXECUTED_AND_ONCE_MORE);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		goBack(how);
		assertThat(this.queue.hash("again")).containsKey(D);
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1));
	}

	@Test
	void acknowledgeWhenRepeatedRunsOnceMoreOnce() {
		running(UNTIL_EXECUTED_AND_ONCE_MORE);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertRepeatable(() -> assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("A"));
	}

	@Test
	void endWhenQueueIsPausedWakesNobodyForTheOneMore() {
		running(UNTIL_EXECUTED_AND_ONCE_MORE);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.pause();
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("wake")).isFalse();
	}

	// While executing

	@Test
	@DisplayName("with 'while executing', the second job is parked, and is next when the first job has ended")
	void claimWhenEqualJobRunsParksTheSecondUntilThen() {
		this.queue.join(PROCESS);
		assertThat(this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D),
				locked(3, WHILE_EXECUTING, D), locked(4, WHILE_EXECUTING, "other")))
			.isEqualTo("S");
		assertThat(this.queue.take(4)).extracting(Taken::id).containsExactly(ScriptFixture.ids(1, 4));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(ScriptFixture.ids(2, 3)).containsValue("mutex:" + D);
		this.queue.acknowledge(PROCESS, id(4), token(1), id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.take(4)).extracting(Taken::id).containsExactly(id(2));
		this.queue.acknowledge(PROCESS, id(2), token(2));
		this.queue.claim(4);
		this.queue.acknowledge(PROCESS, id(3), token(3));
		assertThat(this.queue.has("mutexes")).isFalse();
		assertThat(this.queue.has("lockof")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "done", "dead", "discarded", "retried", "requeued", "recovered", "parked",
			"cancelled and done", "cancelled and failed", "cancelled and requeued", "cancelled and parked",
			"cancelled and recovered" })
	void endWhenAnotherWaitsLetsItGoOn(String how) {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D));
		this.queue.claim(2);
		if (how.startsWith("re") || how.equals("parked")) {
			goBack(how);
		}
		else {
			end(how);
		}
		assertThat(this.queue.hash("parked")).doesNotContainKey(id(2));
		assertThat(this.queue.ready()).contains(id(2));
		assertThat(this.queue.list("wake")).isNotEmpty();
	}

	@Test
	void endWhenTheOneThatWaitsWasCancelledLetsTheNextGoOn() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D));
		this.queue.claim(3);
		this.queue.cancel(2);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(id(3));
	}

	@Test
	void cancelWhenJobIsNextButHasNotRunLetsTheOneAfterItGoOn() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D));
		this.queue.claim(3);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		this.queue.cancel(2);
		assertThat(this.queue.has("parked")).isFalse();
		assertThat(this.queue.take(3)).extracting(Taken::id).containsExactly(id(3));
	}

	@Test
	void claimWhenAnotherOneIsNextTakesTheMutexAndParksThat() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D));
		this.queue.claim(2);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		this.queue.enqueue(locked(3, WHILE_EXECUTING, D));
		this.queue.template().opsForList().rightPop(this.queue.key("ready"));
		this.queue.template().opsForList().leftPush(this.queue.key("ready"), id(2));
		assertThat(this.queue.take(2)).extracting(Taken::id).containsExactly(id(3));
		assertThat(this.queue.sorted("mutexes")).containsExactly(D + ":" + id(2), D + "=" + id(3));
	}

	@Test
	void claimWhenRepeatedAfterParkingGivesTheSame() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D));
		this.queue.claim(PROCESS, 1, 2, 200);
		assertRepeatable(
				() -> assertThat(this.queue.take(PROCESS, 1, 2, 200)).extracting(Taken::id).containsExactly(id(1)));
	}

	@Test
	void claimWhenRepeatedLateWhileACancelledJobStillRunsLetsNoEqualOneIn() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D),
				locked(3, UNTIL_EXECUTED, "other"));
		this.queue.claim(PROCESS, 1, 3, 200);
		this.queue.cancel(1);
		this.queue.cancel(3);
		this.queue.claim(PROCESS, 1, 3, 200);
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2));
		assertThat(this.queue.enqueue(locked(4, UNTIL_EXECUTED, "other"))).isEqualTo("D " + id(3));
		this.queue.acknowledge(PROCESS, id(1), token(1), id(3), token(1));
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("locks")).isFalse();
	}

	@Test
	void claimWhenHolderIsGoneTakesTheMutexOver() {
		this.queue.join(PROCESS);
		this.queue.template().opsForZSet().add(this.queue.key("mutexes"), D + "=" + id(9), 0);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D));
		assertThat(this.queue.take(1)).extracting(Taken::id).containsExactly(id(1));
		assertThat(this.queue.sorted("mutexes")).containsExactly(D + "=" + id(1));
	}

	// Positions

	@Test
	@DisplayName("GL-21, GL-X8: the newest position of all duplicates counts for each source, and the TTL is not changed")
	void enqueueWhenDuplicateHasNewerPositionKeepsTheNewest() {
		this.queue.join(PROCESS);
		this.queue.enqueue(at(1, "a=05;b=07"));
		String lock = this.queue.hash("locks").get(D);
		this.queue.enqueue(at(2, "a=06;b=03;c=01"));
		this.queue.enqueue(at(3, "a=04"), at(4, "b=08"));
		assertThat(this.queue.hash("locks").get(D)).isEqualTo(lock);
		assertThat(this.queue.take(1)).extracting(Taken::positions).containsExactly("a=06;b=08;c=01");
	}

	@Test
	void claimWhenRepeatedTellsPositionsAgain() {
		this.queue.join(PROCESS);
		this.queue.enqueue(at(1, "a=05"));
		this.queue.claim(PROCESS, 1, 1, 200);
		assertThat(this.queue.take(PROCESS, 1, 1, 200)).extracting(Taken::positions).containsExactly("a=05");
	}

	@Test
	void endWhenOneMoreRunsHandsThePositionsOn() {
		this.queue.join(PROCESS);
		this.queue.enqueue(at(1, "a=05"));
		this.queue.claim(1);
		this.queue.enqueue(at(2, "a=09"));
		this.queue.enqueue(at(3, "a=08"));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.take(1)).extracting(Taken::id, Taken::positions).containsExactly(tuple(id(3), "a=09"));
	}

	@Test
	void enqueueWhenPositionsHaveNoLockKeepsThemUntilTheEnd() {
		this.queue.join(PROCESS);
		for (int job : new int[] { 1, 2 }) {
			this.queue.enqueue(new NewJob(id(job), ScriptFixture.bytes(payload(job)), null,
					LockKind.NONE.lock(0, "-") + " a=0" + job, null, null));
		}
		assertThat(this.queue.take(2)).extracting(Taken::positions).containsExactly("a=01", "a=02");
		this.queue.acknowledge(PROCESS, id(1), token(1), id(2), token(1));
		assertThat(this.queue.has("lockof")).isFalse();
	}

	// Damaged data

	@ParameterizedTest
	@ValueSource(strings = { "locks", "again", "mutexes" })
	void endWhenLocksAreDamagedEndsTheJobAllTheSame(String damaged) {
		running(UNTIL_EXECUTED_AND_ONCE_MORE);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.spoil(this.queue.key(damaged));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		this.queue.template().delete(this.queue.key(damaged));
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks", "mutexes" })
	void claimWhenLocksAreDamagedGivesJobsAllTheSame(String damaged) {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D));
		this.queue.spoil(this.queue.key(damaged));
		assertThat(this.queue.take(3)).extracting(Taken::id).contains(ScriptFixture.ids(1, 2));
		this.queue.template().delete(this.queue.key(damaged));
	}

	@Test
	void enqueueWhenLocksAreDamagedStoresNothing() {
		assertRefusesWrongTypes(ScriptFixture.ENQUEUE, (queue) -> {
			queue.join(PROCESS);
			queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D));
			queue.claim(1);
		}, (queue) -> queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D), locked(3, WITHIN, "window")), "calls",
				"payloads", "ready", "locks", "lockof", "again", "working", "windows");
	}

	private static NewJob at(int job, String positions) {
		return new NewJob(id(job), ScriptFixture.bytes(payload(job)), null,
				UNTIL_EXECUTED_AND_ONCE_MORE.lock(HOUR, D) + " " + positions, null, null);
	}

	private Map<String, Object> jobs() {
		Map<String, Object> contents = this.queue.contents();
		contents.keySet().removeAll(List.of("calls", "meta"));
		return contents;
	}

	/**
	 * Let job 1 run and hold the lock.
	 */
	private void running(LockKind kind) {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, kind, D));
		this.queue.claim(1);
	}

	private void end(String how) {
		if (how.startsWith("cancelled")) {
			this.queue.cancel(1);
		}
		switch (how) {
			case "done", "cancelled and done" -> this.queue.acknowledge(PROCESS, id(1), token(1));
			case "dead" -> {
				this.queue.bury(1, 1, 10, HOUR);
				this.queue.template().opsForZSet().remove(this.queue.key("dead"), id(1));
				this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
			}
			case "discarded" -> this.queue.discard(PROCESS, 1, token(1));
			case "cancelled and failed" -> this.queue.retry(1, 1, HOUR);
			case "cancelled and requeued" -> this.queue.requeue(PROCESS, id(1), token(1));
			case "cancelled and parked" -> this.queue.park(1, 1, "unknown:job");
			case "cancelled and recovered" -> this.queue.recover(PROCESS);
			default -> throw new IllegalArgumentException(how);
		}
	}

	private void goBack(String how) {
		switch (how) {
			case "retried" -> this.queue.retry(1, 1, HOUR);
			case "requeued" -> this.queue.requeue(PROCESS, id(1), token(1));
			case "recovered" -> this.queue.recover(PROCESS);
			case "parked" -> this.queue.park(1, 1, "unknown:job");
			case "unparked" -> {
				this.queue.park(1, 1, "unknown:job");
				this.queue.unpark("0", 100, "unknown:job");
			}
			default -> throw new IllegalArgumentException(how);
		}
	}

}
