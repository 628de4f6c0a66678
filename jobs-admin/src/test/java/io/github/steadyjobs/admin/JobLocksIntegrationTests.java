package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.audit.DamagedQueue;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.steadyjobs.audit.DamagedQueue.id;
import static io.github.steadyjobs.support.Reasons.reason;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link JobLocks}.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class JobLocksIntegrationTests {

	private static final String D = "digest-of-22-characters";

	private final TestRedis redis;

	private final JobLocks locks;

	private final DamagedQueue queue;

	JobLocksIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.locks = new JobLocks(redis.connections(), redis.prefix());
		this.queue = new DamagedQueue(redis, "mail");
	}

	@Test
	void pageWhenLocksAreOfAllKindsTellsThem() {
		this.queue.running(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "e");
		this.queue.enqueue(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "e");
		this.queue.running(3, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(4, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(5, LockKind.WITHIN, "w");
		this.queue.end(5);
		this.queue.enqueue(6, LockKind.UNTIL_EXECUTING, "u");
		List<JobLock> all = all(100);
		assertThat(all).usingRecursiveFieldByFieldElementComparatorIgnoringFields("expires")
			.containsExactlyInAnyOrder(lock("e", Strategy.UNTIL_EXECUTED, 1, JobLock.State.RUNNING, true),
					lock("m", Strategy.WHILE_EXECUTING, 3, JobLock.State.RUNNING, false, id(4)),
					lock("w", Strategy.WITHIN, 5, JobLock.State.GONE, false),
					lock("u", Strategy.UNTIL_EXECUTING, 6, JobLock.State.WAITING, false));
		assertThat(all).allSatisfy((lock) -> {
			if (lock.strategy() == Strategy.WHILE_EXECUTING) {
				assertThat(lock.expires()).isNull();
			}
			else {
				assertThat(lock.expires()).isCloseTo(Instant.now().plus(Duration.ofHours(1)), within(60, SECONDS));
			}
		});
	}

	@Test
	void pageWhenThereAreManyMeetsAllInPages() {
		for (int job = 1; job <= 1500; job++) {
			this.queue.set("locks", "digest" + job, id(job) + "18bcfe56800e");
		}
		for (int job = 1; job <= 300; job++) {
			this.queue.score("mutexes", "mutex" + job + "=" + id(job), 0);
		}
		List<Integer> sizes = new ArrayList<>();
		List<JobLock> all = new ArrayList<>();
		String cursor = LockPage.START;
		do {
			LockPage page = this.locks.page("mail", cursor, 100);
			all.addAll(page.locks());
			sizes.add(page.locks().size());
			cursor = page.next();
		}
		while (!cursor.equals(LockPage.START));
		assertThat(all).extracting(JobLock::digest).hasSizeGreaterThanOrEqualTo(1800).doesNotHaveDuplicates();
		assertThat(all).extracting(JobLock::state).containsOnly(JobLock.State.GONE);
		assertThat(sizes).allMatch((size) -> size < 200).hasSizeGreaterThan(12);
	}

	@Test
	void pageWhenOnlyJobsThatRunHaveLocksTellsThemAtOnce() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, "m");
		for (int job = 2; job <= 300; job++) {
			this.queue.score("mutexes", "m:" + id(job), 0);
		}
		LockPage page = this.locks.page("mail", LockPage.START, 1);
		assertThat(page.locks()).extracting(JobLock::holder).containsExactly(id(1));
		assertThat(page.hasNext()).isFalse();
	}

	@Test
	void pageWhenNothingIsLockedIsEmpty() {
		assertThat(all(1000)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1001 })
	void pageWhenSizeIsOutOfRangeIsRefused(int size) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.page("mail", LockPage.START, size))
			.withMessage("'size' must be 1 to 1000, but is " + size);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "m", "x", "1 2", "-1", "99999999999999999999999" })
	void pageWhenCursorIsOfNoPageIsRefused(String cursor) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.page("mail", cursor, 10))
			.withMessage("'" + cursor + "' is not a cursor of a page of locks");
	}

	@Test
	void pageWhenQueueCannotBeCalledSoIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.page("not {a} queue", LockPage.START, 10));
	}

	@Test
	void pageWhenKeyHasWrongTypeFails() {
		this.queue.spoil("locks");
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.locks.page("mail", LockPage.START, 10))
			.has(reason(Reason.DAMAGED));
	}

	@Test
	void ofJobFindsLockInAnyQueue() {
		new DamagedQueue(this.redis, "other").enqueue(9);
		this.queue.enqueue(1, LockKind.UNTIL_EXECUTED, D);
		assertThat(this.locks.ofJob(id(1))).get()
			.extracting(JobLock::queue, JobLock::digest)
			.containsExactly("mail", D);
		assertThat(this.locks.ofJob("mail", id(1))).isEqualTo(this.locks.ofJob(id(1)));
		assertThat(this.locks.ofJob("other", id(1))).isEmpty();
		assertThat(this.locks.ofJob(id(9))).isEmpty();
	}

	@Test
	void ofJobWhenJobWaitsForAnotherOneTellsThat() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.running(2, LockKind.WHILE_EXECUTING, D);
		assertThat(this.locks.ofJob(id(2))).get().satisfies((lock) -> {
			assertThat(lock.holder()).isEqualTo(id(1));
			assertThat(lock.waiting()).containsExactly(id(2));
		});
	}

	@Test
	void releaseWhenJobHasLockLetsEqualOnesInAndSaysSo(CapturedOutput output) {
		this.queue.enqueue(1, LockKind.UNTIL_EXECUTED, D);
		assertThat(this.locks.release("mail", D)).isEqualTo(LockRelease.RELEASED);
		assertThat(this.queue.enqueue(2, LockKind.UNTIL_EXECUTED, D)).isEmpty();
		assertThat(output).containsOnlyOnce(
				"Lock " + D + " of queue mail was released; job " + id(1) + ", which had it, is left as it is");
	}

	@Test
	void releaseWhenLockHasChangedHandsLeavesIt(CapturedOutput output) {
		this.queue.enqueue(1, LockKind.UNTIL_EXECUTED, D);
		assertThat(this.locks.release("mail", D, id(2))).isEqualTo(LockRelease.CHANGED);
		assertThat(this.queue.enqueue(3, LockKind.UNTIL_EXECUTED, D)).isEqualTo(id(1));
		assertThat(output).doesNotContain("was released");
	}

	@Test
	void releaseWhenNothingIsLockedTellsSo() {
		assertThat(this.locks.release("mail", D)).isEqualTo(LockRelease.NOT_LOCKED);
		assertThat(this.locks.release("mail", D, id(1))).isEqualTo(LockRelease.NOT_LOCKED);
		assertThat(this.locks.releaseOfJob(id(1))).isEqualTo(LockRelease.NOT_LOCKED);
	}

	@Test
	void releaseWhenDigestHasLockAndMutexReleasesBoth() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.enqueue(2, LockKind.UNTIL_EXECUTED, D);
		assertThat(this.locks.release("mail", D)).isEqualTo(LockRelease.RELEASED);
		assertThat(all(10)).isEmpty();
	}

	@Test
	void releaseOfJobWhenItHasTheMutexLetsTheNextOneGoOn() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, D);
		this.queue.running(2, LockKind.WHILE_EXECUTING, D);
		assertThat(this.locks.releaseOfJob(id(2))).isEqualTo(LockRelease.CHANGED);
		assertThat(this.locks.releaseOfJob(id(1))).isEqualTo(LockRelease.RELEASED);
		assertThat(this.queue.claimAll()).containsExactly(id(2));
	}

	private List<JobLock> all(int size) {
		List<JobLock> all = new ArrayList<>();
		LockPage page = this.locks.page("mail", LockPage.START, size);
		all.addAll(page.locks());
		while (page.hasNext()) {
			page = this.locks.page("mail", page.next(), size);
			all.addAll(page.locks());
		}
		return all;
	}

	private static JobLock lock(String digest, Strategy strategy, int holder, JobLock.State state, boolean once,
			String... waiting) {
		return new JobLock("mail", digest, strategy, id(holder), state, null, once, List.of(waiting));
	}

}
