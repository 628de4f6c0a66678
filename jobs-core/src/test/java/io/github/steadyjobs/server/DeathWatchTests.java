package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.server.JobRecovery.Death;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DeathWatch}, with a clock that the test sets (UL-05).
 */
class DeathWatchTests {

	private final DeathWatch watch = new DeathWatch(null, "this",
			new Liveness(Duration.ofSeconds(5), Duration.ofSeconds(30), 3), null, null, Runnable::run);

	@Test
	@DisplayName("UL-06: a process is alive while its counter moves")
	void readWhenCounterStandsStillForLongFindsTheProcessDead() {
		for (int second = 0; second < 30; second += 5) {
			assertThat(read(second, Map.of("p", 7L, "alive", (long) second))).isEmpty();
		}
		assertThat(read(30, Map.of("p", 7L, "alive", 30L))).containsExactly(new Death("q", "p", 7));
	}

	@Test
	void readWhenCounterMovesBeginsAnew() {
		for (int second = 0; second <= 25; second += 5) {
			read(second, Map.of("p", 7L));
		}
		for (int second = 30; second < 60; second += 5) {
			assertThat(read(second, Map.of("p", 8L))).isEmpty();
		}
		assertThat(read(60, Map.of("p", 8L))).hasSize(1);
	}

	@Test
	@DisplayName("F28: a stall of Redis does not make any process count as dead")
	void readAfterAGapLeavesTimeToBeat() {
		for (int second = 0; second <= 25; second += 5) {
			read(second, Map.of("p", 7L, "alive", 7L));
		}
		assertThat(read(40, Map.of("p", 7L, "alive", 7L))).isEmpty();
		assertThat(read(45, Map.of("p", 7L, "alive", 7L))).isEmpty();
		assertThat(read(50, Map.of("p", 7L, "alive", 8L))).isEmpty();
		assertThat(read(55, Map.of("p", 7L, "alive", 9L))).containsExactly(new Death("q", "p", 7));
	}

	@Test
	@DisplayName("Short outages of Redis do not restart the observation")
	void readWhenThereAreGapsCountsTheTimeBetweenThem() {
		for (int second = 0; second <= 60; second += 20) {
			assertThat(read(second, Map.of("p", 7L))).isEmpty();
			assertThat(read(second + 8, Map.of("p", 7L))).isEmpty();
		}
		assertThat(read(74, Map.of("p", 7L))).as("dead after 32 s, 14 s of them since the last gap").isEmpty();
		assertThat(read(75, Map.of("p", 7L))).hasSize(1);
	}

	@Test
	@DisplayName("While there are repeated gaps between readings, no process counts as dead")
	void readWhenThereIsNeverTimeToBeatFindsNobodyDead() {
		for (int second = 0; second <= 2000; second += 20) {
			assertThat(read(second, Map.of("p", 7L))).isEmpty();
			assertThat(read(second + 8, Map.of("p", 7L))).isEmpty();
		}
	}

	@Test
	void readWhenProcessHasGoneForgetsIt() {
		for (int second = 0; second <= 25; second += 5) {
			read(second, Map.of("p", 7L));
		}
		read(30, Map.of());
		assertThat(read(35, Map.of("p", 7L))).isEmpty();
	}

	@Test
	void readWhenFencedProcessIsNotGoneByTheNextReadingFindsItDead() {
		assertThat(read(0, Map.of("p", Beat.FENCED_COUNTER))).isEmpty();
		assertThat(read(5, Map.of("p", Beat.FENCED_COUNTER))).hasSize(1);
	}

	@Test
	void readWhenOtherQueueIsReadKeepsThemApart() {
		for (int second = 0; second <= 25; second += 5) {
			read(second, Map.of("p", 7L));
		}
		assertThat(this.watch.read("other", Map.of("p", 7L), seconds(30))).isEmpty();
	}

	private List<Death> read(int second, Map<String, Long> counters) {
		return this.watch.read("q", counters, seconds(second));
	}

	/**
	 * Return a time in nanoseconds, with an offset that makes the values overflow after
	 * 20 seconds, as those of {@code System.nanoTime()} can.
	 */
	private static long seconds(int second) {
		return Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(20) + TimeUnit.SECONDS.toNanos(second);
	}

}
