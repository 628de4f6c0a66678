package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.WorkerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClockWatch}, at a clock that stands at any time we like.
 */
class ClockWatchTests {

	private static final long REDIS_AT_ZERO = 1_700_000_000_000L;

	private final List<WorkerEvent> told = new CopyOnWriteArrayList<>();

	private final WorkerEvents events = new WorkerEvents(this.told::add);

	private final ClockWatch watch = new ClockWatch(this.events);

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void seenWhenBothClocksGoOnAlikeTellsNothing() {
		for (int second = 0; second < 100; second++) {
			seen("q", second, second * 1000L);
		}
		assertThat(steps()).isEmpty();
	}

	@Test
	void seenWhenClockDriftsTellsNothing() {
		for (int second = 0; second < 100; second++) {
			seen("q", second, second * 1200L);
		}
		assertThat(steps()).isEmpty();
	}

	@Test
	@DisplayName("F47: a step of the clock of Redis is told once, in both directions")
	void seenWhenClockWasSetTellsByHowMuchOnce() {
		seen("q", 0, 0);
		seen("q", 1, 61_000);
		seen("q", 2, 62_000);
		seen("q", 3, -237_000);
		seen("q", 4, -236_000);
		assertThat(steps()).containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(-300));
	}

	@Test
	void seenWhenQueuesShareAServerTellsOnce() {
		seen("a", 0, 0);
		seen("b", 0, 0);
		seen("a", 1, 61_000);
		seen("b", 2, 62_000);
		assertThat(steps()).hasSize(1);
	}

	@Test
	void seenWhenQueuesAreOnServersOfDifferentClocksTellsNothing() {
		for (int second = 0; second < 10; second++) {
			seen("a", second, second * 1000L);
			seen("b", second, second * 1000L + 60_000);
		}
		assertThat(steps()).isEmpty();
	}

	@Test
	void seenWhenAnswerCameLateTellsNothing() {
		seen("q", 0, 0);
		this.watch.seen("q", REDIS_AT_ZERO + 2000, seconds(1), seconds(60));
		seen("q", 61, 61_000);
		assertThat(steps()).isEmpty();
	}

	@Test
	void seenWhenStepIsSmallTellsNothing() {
		seen("q", 0, 0);
		seen("q", 1, 5500);
		assertThat(steps()).isEmpty();
	}

	@Test
	void seenWhenAnswerTellsNoTimeIsIgnored() {
		seen("q", 0, 0);
		this.watch.seen("q", 0, seconds(1), seconds(1));
		seen("q", 2, 2000);
		assertThat(steps()).isEmpty();
	}

	private void seen(String queue, int second, long millis) {
		this.watch.seen(queue, REDIS_AT_ZERO + millis, seconds(second), seconds(second));
	}

	private List<Duration> steps() {
		this.events.close();
		return this.told.stream().map((event) -> ((WorkerEvent.ClockStepped) event).by()).toList();
	}

	/**
	 * Negative at first, as the clock may be.
	 */
	private static long seconds(int second) {
		return TimeUnit.SECONDS.toNanos(second - 2);
	}

}
