package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClaimAhead}, with times in milliseconds.
 */
class ClaimAheadTests {

	private final ClaimAhead ahead = new ClaimAhead(Duration.ofMillis(5), 0);

	@Test
	void allowedIsWhatWillBeginWithinTheTime() {
		// The rate is 10 jobs per millisecond.
		assertThat(allowed(20, 200, 0)).isEqualTo(50);
		assertThat(allowed(40, 600, 0)).isEqualTo(100);
		assertThat(allowed(45, 650, 0)).isEqualTo(100);
		assertThat(allowed(60, 700, 0)).isEqualTo(25);
	}

	@Test
	void allowedWhenJobsTakeLongIsNone() {
		// There are 10 workers, and each job takes 100 milliseconds.
		for (int second = 1; second < 10; second++) {
			assertThat(allowed(1000 * second, 100 * second, 0)).isZero();
			assertThat(allowed(1000 * second + 100, 100 * second + 10, 0)).isZero();
		}
	}

	@Test
	void allowedBeforeThereIsARateIsNone() {
		assertThat(allowed(0, 0, 0)).isZero();
		assertThat(allowed(19, 1000, 0)).isZero();
	}

	@Test
	void allowedAfterIdlenessBeginsAnew() {
		allowed(20, 200, 0);
		assertThat(allowed(2000, 210, 0)).isZero();
		assertThat(allowed(2020, 410, 0)).isEqualTo(50);
	}

	@Test
	void allowedIsBoundedByNumberAndSize() {
		assertThat(allowed(20, 100_000, 0)).isEqualTo(200);
		this.ahead.claimed(List.of(work(2_000_000)));
		assertThat(allowed(20, 100_000, 0)).isZero();
		for (int i = 0; i < 100; i++) {
			this.ahead.claimed(List.of(work(10_000), work(30_000)));
		}
		assertThat(allowed(20, 100_000, 0)).isBetween(49, 50);
	}

	@Test
	void allowedWhenWhatWasClaimedWaitsTooLongIsNone() {
		assertThat(allowed(20, 200, 5)).isEqualTo(50);
		assertThat(allowed(20, 200, 6)).isZero();
	}

	@Test
	void allowedAfterAPauseIsNoneForASecond() {
		allowed(1000, 200, 0);
		this.ahead.pause(nanos(1020));
		assertThat(allowed(1020, 400, 0)).isZero();
		assertThat(allowed(2010, 800, 0)).isZero();
		assertThat(allowed(2040, 1100, 0)).isEqualTo(50);
	}

	@Test
	void allowedWhenSwitchedOffIsNone() {
		ClaimAhead off = new ClaimAhead(Duration.ZERO, 0);
		assertThat(off.allowed(nanos(20), 1_000_000, 0)).isZero();
	}

	@Test
	void ofClaimsAheadForWorkersThatShareThemOut() {
		assertThat(claimsAhead(2, false, 3)).isTrue();
	}

	@Test
	@DisplayName("JG-09: a single worker runs jobs in order")
	void ofWhenThereIsOneWorkerClaimsNothingAhead() {
		assertThat(claimsAhead(1, false, 3)).isFalse();
	}

	@Test
	@DisplayName("JG-09: a job that never began does not die because of crashes")
	void ofWhenACrashWouldBuryJobsClaimsNothingAhead() {
		assertThat(claimsAhead(2, true, 3)).isFalse();
		assertThat(claimsAhead(2, false, 2)).isFalse();
	}

	private static boolean claimsAhead(int concurrency, boolean atMostOnce, int maxCrashes) {
		Capsule capsule = new Capsule("c", concurrency, Order.WEIGHTED, Duration.ofMillis(5),
				List.of(new Queue("a", 1), new Queue("b", 1, atMostOnce)));
		ClaimAhead ahead = ClaimAhead.of(capsule,
				new Liveness(Duration.ofSeconds(5), Duration.ofSeconds(30), maxCrashes));
		return ahead.allowed(System.nanoTime() + nanos(30), 1_000_000, 0) > 0;
	}

	private int allowed(long millis, long begun, long waited) {
		return this.ahead.allowed(nanos(millis), begun, nanos(waited));
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private static UnitOfWork work(int bytes) {
		JobToken token = new JobToken("q", "p.1", "a", "c/1");
		return new UnitOfWork(new ClaimedJob(token, new byte[bytes], "", 1, 1), 0, 0);
	}

}
