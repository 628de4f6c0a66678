package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.redis.LockKind.UNTIL_EXECUTED_AND_ONCE_MORE;
import static io.github.steadyjobs.redis.LockKind.UNTIL_EXECUTING;
import static io.github.steadyjobs.redis.LockKind.WHILE_EXECUTING;
import static io.github.steadyjobs.redis.ScriptFixture.HOUR;
import static io.github.steadyjobs.redis.ScriptFixture.PROCESS;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.ids;
import static io.github.steadyjobs.redis.ScriptFixture.lock;
import static io.github.steadyjobs.redis.ScriptFixture.locked;
import static io.github.steadyjobs.redis.ScriptFixture.token;
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
		this.queue.enqueue(new NewJob(later.id(), later.payload(), HOUR, later.lock()));
		this.queue.enqueue(locked(5, UNTIL_EXECUTING, "waits"));
		this.queue.set("locks", "gone", lock(9, 1_700_000_000_000L, LockKind.WITHIN));
		this.queue.set("locks", "damaged", "x");
		assertThat(this.queue.holders("locks", "0", 100))
			.extracting(LockStore.Lock::digest, LockStore.Lock::kind, LockStore.Lock::holder, LockStore.Lock::place)
			.containsExactlyInAnyOrder(tuple("runs", UNTIL_EXECUTED, id(1), QueuePart.WORKING),
					tuple("failed", UNTIL_EXECUTED, id(2), QueuePart.RETRIES),
					tuple("parked", UNTIL_EXECUTED, id(3), QueuePart.PARKED),
					tuple("later", UNTIL_EXECUTING, id(4), QueuePart.SCHEDULED),
					tuple("waits", UNTIL_EXECUTING, id(5), QueuePart.READY),
					tuple("gone", LockKind.WITHIN, id(9), null));
		assertThat(this.queue.holders("digest", "gone")).extracting(LockStore.Lock::expiry)
			.containsExactly(1_700_000_000_000L);
	}

	@Test
	void holdersWhenJobIsDeadTellsSo() {
		this.queue.working(1);
		this.queue.bury(1, 1, 10, HOUR);
		this.queue.set("locks", D, lock(1, 1_700_000_000_000L, UNTIL_EXECUTED));
		assertThat(this.queue.holders("digest", D)).extracting(LockStore.Lock::place).containsExactly(QueuePart.DEAD);
	}

	@Test
	void holdersWhenDuplicateIsToRunOnceMoreTellsSo() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		this.queue.claim(1);
		assertThat(this.queue.holders("id", id(1))).extracting(LockStore.Lock::again).containsExactly(false);
		this.queue.enqueue(locked(2, UNTIL_EXECUTED_AND_ONCE_MORE, D));
		assertThat(this.queue.holders("id", id(1))).extracting(LockStore.Lock::again).containsExactly(true);
		assertThat(this.queue.holders("id", id(2))).isEmpty();
	}

	@Test
	void holdersWhenJobsWaitForMutexTellsWhoHasItAndWhoWaits() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, WHILE_EXECUTING, D),
				locked(4, WHILE_EXECUTING, "other"));
		this.queue.claim(4);
		this.queue.enqueue(locked(5, WHILE_EXECUTING, "free"));
		LockStore.Lock mutex = new LockStore.Lock(D, WHILE_EXECUTING, 0, id(1), QueuePart.WORKING, false,
				List.of(ids(2, 3)));
		LockStore.Lock other = new LockStore.Lock("other", WHILE_EXECUTING, 0, id(4), QueuePart.WORKING, false,
				List.of());
		assertThat(this.queue.holders("mutexes", "", 100)).containsExactlyInAnyOrder(mutex, other);
		assertThat(this.queue.holders("digest", D)).containsExactly(mutex);
		assertThat(this.queue.holders("id", id(3))).containsExactly(mutex);
		assertThat(this.queue.holders("id", id(5))).isEmpty();
		this.queue.releaseLock(D, 1);
		assertThat(this.queue.holders("digest", D))
			.containsExactly(new LockStore.Lock(D, WHILE_EXECUTING, 0, id(2), QueuePart.READY, false, List.of(id(3))));
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
		List<LockStore.Lock> all = this.queue.holders("mutexes", "", 1000);
		assertThat(all).extracting(LockStore.Lock::digest).hasSize(20).doesNotHaveDuplicates();
		assertThat(all.stream().mapToInt((lock) -> lock.waiting().size()).sum()).isEqualTo(1000);
		assertThat(all).allMatch((lock) -> lock.waiting().size() <= 100);
		assertThat(this.queue.holders("mutexes", all.get(4).digest(), 2))
			.extracting(LockStore.Lock::digest, (lock) -> lock.waiting().size())
			.containsExactly(tuple(all.get(5).digest(), 100), tuple(all.get(6).digest(), 100));
	}

	@Test
	void holdersWhenNothingIsThereIsEmpty() {
		for (String what : List.of("locks", "mutexes")) {
			assertThat(this.queue.holders(what, what.equals("locks") ? "0" : "", 10)).isEmpty();
		}
		for (String what : List.of("digest", "id")) {
			assertThat(this.queue.holders(what, "x")).isEmpty();
		}
	}

	@Test
	void holdersWritesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, WHILE_EXECUTING, D), locked(2, WHILE_EXECUTING, D), locked(3, UNTIL_EXECUTED, D));
		this.queue.claim(2);
		Map<String, Object> before = this.queue.contents();
		this.queue.holders("locks", "0", 10);
		this.queue.holders("mutexes", "", 10);
		this.queue.holders("digest", D);
		this.queue.holders("id", id(2));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void holdersWhenKeyHasWrongTypeFails() {
		assertRefusesWrongTypes(JobScript.HOLDERS, (given) -> {
			given.enqueue(locked(1, UNTIL_EXECUTED, D));
			given.template().opsForZSet().add(given.key("mutexes"), D + "=" + id(2), 0);
			given.set("payloads", id(2), "payload");
		}, (given) -> {
			given.holders("digest", D);
			given.holders("id", id(1));
		}, JobScript.HOLDERS.keys().toArray(String[]::new));
	}

}
