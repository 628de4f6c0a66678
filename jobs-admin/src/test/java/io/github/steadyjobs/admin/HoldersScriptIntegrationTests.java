package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.admin.JobLock.State;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.admin.AdminScripts.holders;
import static io.github.steadyjobs.admin.AdminScripts.releaseLock;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTING;
import static io.github.steadyjobs.client.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.lock;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@code holders.lua}.
 */
class HoldersScriptIntegrationTests extends AbstractScriptTests {

	private static final String D = "digest-of-22-characters";

	HoldersScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void holdersTellsWhatEachJobDoes() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED, "runs"), locked(2, UNTIL_EXECUTED, "failed"),
				locked(3, UNTIL_EXECUTED, "parked"));
		this.queue.claim(3);
		this.queue.retry(PROCESS, 2, token(1), HOUR);
		this.queue.park(PROCESS, 3, token(1), "unknown:Mail.send");
		NewJob later = locked(4, UNTIL_EXECUTING, "later");
		this.queue.enqueue(new NewJob(later.id(), later.payload(), HOUR, later.lock(), null, null));
		this.queue.enqueue(locked(5, UNTIL_EXECUTING, "waits"));
		this.queue.set("locks", "gone", lock(9, 1_700_000_000_000L, LockKind.WITHIN));
		this.queue.set("locks", "damaged", "x");
		assertThat(holders(this.queue, "locks", "0", 100))
			.extracting(JobLock::digest, JobLock::strategy, JobLock::holder, JobLock::state)
			.containsExactlyInAnyOrder(tuple("runs", Strategy.UNTIL_EXECUTED, id(1), State.RUNNING),
					tuple("failed", Strategy.UNTIL_EXECUTED, id(2), State.RETRYING),
					tuple("parked", Strategy.UNTIL_EXECUTED, id(3), State.PARKED),
					tuple("later", Strategy.UNTIL_EXECUTING, id(4), State.SCHEDULED),
					tuple("waits", Strategy.UNTIL_EXECUTING, id(5), State.WAITING),
					tuple("gone", Strategy.WITHIN, id(9), State.GONE));
		assertThat(holders(this.queue, "digest", "gone")).extracting(JobLock::expires)
			.containsExactly(Instant.ofEpochMilli(1_700_000_000_000L));
	}

	@Test
	void holdersWhenJobIsDeadTellsSo() {
		this.queue.working(1);
		this.queue.bury(1, 1, 10, HOUR);
		this.queue.set("locks", D, lock(1, 1_700_000_000_000L, UNTIL_EXECUTED));
		assertThat(holders(this.queue, "digest", D)).extracting(JobLock::state).containsExactly(State.DEAD);
	}

	@Test
	void holdersWhenDuplicateIsToRunOnceMoreTellsSo() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.claim(1);
		assertThat(holders(this.queue, "id", id(1))).extracting(JobLock::runsOnceMore).containsExactly(false);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		assertThat(holders(this.queue, "id", id(1))).extracting(JobLock::runsOnceMore).containsExactly(true);
		assertThat(holders(this.queue, "id", id(2))).isEmpty();
	}

	@Test
	void holdersWhenJobsWaitForMutexTellsWhoHasItAndWhoWaits() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D),
				locked(4, WHILE_EXECUTING, "other"));
		this.queue.claim(4);
		this.queue.enqueue(locked(5, WHILE_EXECUTING, "free"));
		JobLock mutex = mutex(D, 1, State.RUNNING, ids(2, 3));
		JobLock other = mutex("other", 4, State.RUNNING);
		assertThat(holders(this.queue, "mutexes", "", 100)).containsExactlyInAnyOrder(mutex, other);
		assertThat(holders(this.queue, "digest", D)).containsExactly(mutex);
		assertThat(holders(this.queue, "id", id(3))).containsExactly(mutex);
		assertThat(holders(this.queue, "id", id(5))).isEmpty();
		releaseLock(this.queue, D, 1);
		assertThat(holders(this.queue, "digest", D)).containsExactly(mutex(D, 2, State.WAITING, id(3)));
	}

	@Test
	void holdersWhenManyWaitForManyMutexesTellsSomeOfThem() {
		for (int mutex = 1; mutex <= 20; mutex++) {
			String digest = "mutex" + mutex;
			this.queue.template().opsForZSet().add(this.queue.key("mutexes"), digest + "=" + id(mutex), 0);
			for (int job = 1; job <= 120; job++) {
				this.queue.template().opsForZSet().add(this.queue.key("mutexes"), digest + ":" + id(100 * job), 0);
			}
		}
		List<JobLock> all = holders(this.queue, "mutexes", "", 1000);
		assertThat(all).extracting(JobLock::digest).hasSize(20).doesNotHaveDuplicates();
		assertThat(all.stream().mapToInt((lock) -> lock.waiting().size()).sum()).isEqualTo(1000);
		assertThat(all).allMatch((lock) -> lock.waiting().size() <= 100);
		assertThat(holders(this.queue, "mutexes", all.get(4).digest(), 2))
			.extracting(JobLock::digest, (lock) -> lock.waiting().size())
			.containsExactly(tuple(all.get(5).digest(), 100), tuple(all.get(6).digest(), 100));
	}

	@Test
	void holdersWhenNothingIsThereIsEmpty() {
		for (String what : List.of("locks", "mutexes")) {
			assertThat(holders(this.queue, what, what.equals("locks") ? "0" : "", 10)).isEmpty();
		}
		for (String what : List.of("digest", "id")) {
			assertThat(holders(this.queue, what, "x")).isEmpty();
		}
	}

	@Test
	void holdersWritesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, UNTIL_EXECUTED, D));
		this.queue.claim(2);
		Map<String, Object> before = this.queue.contents();
		holders(this.queue, "locks", "0", 10);
		holders(this.queue, "mutexes", "", 10);
		holders(this.queue, "digest", D);
		holders(this.queue, "id", id(2));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void holdersWhenKeyHasWrongTypeFails() {
		assertRefusesWrongTypes(JobLocks.HOLDERS, (given) -> {
			given.enqueue(locked(1, UNTIL_EXECUTED, D));
			given.template().opsForZSet().add(given.key("mutexes"), D + "=" + id(2), 0);
			given.set("payloads", id(2), "payload");
		}, (given) -> {
			holders(given, "digest", D);
			holders(given, "id", id(1));
		}, keysOf(JobLocks.HOLDERS));
	}

	private JobLock mutex(String digest, int holder, State state, String... waiting) {
		return new JobLock(this.queue.queue(), digest, Strategy.WHILE_EXECUTING, id(holder), state, null, false,
				List.of(waiting));
	}

}
