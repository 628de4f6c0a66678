package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.server.Vitals.StallWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StallWatch}, with a clock that the test sets.
 */
class StallWatchTests {

	private final List<WorkerEvent> told = new CopyOnWriteArrayList<>();

	private final WorkerEvents events = new WorkerEvents(List.of(), this.told::add);

	private final AtomicLong now = new AtomicLong();

	private final StallWatch watch = new StallWatch("c", Duration.ofMinutes(1), this.events, this.now::get);

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void judgeWhenNothingHappensForAMinuteIsStalledAndSaysSoOnce() {
		judgeForAMinute();
		assertThat(this.watch.isStalled()).isFalse();
		this.watch.judge(true, 7);
		assertThat(this.watch.isStalled()).isTrue();
		judgeForAMinute();
		assertThat(told()).containsExactly(new WorkerEvent.Stalled("c"));
	}

	@Test
	void judgeWhenJobsWaitFromTheStartGivesItAMinute() {
		this.now.set(Duration.ofDays(1).toNanos());
		StallWatch started = new StallWatch("c", Duration.ofMinutes(1), this.events, this.now::get);
		started.judge(true, 0);
		assertThat(started.isStalled()).isFalse();
	}

	@Test
	void judgeWhenSomethingIsClaimedOrSettledNowAndThenIsNotStalled() {
		for (int beat = 0; beat < 100; beat++) {
			this.watch.judge(true, beat / 5);
			pass(Duration.ofSeconds(10));
		}
		assertThat(told()).isEmpty();
	}

	@Test
	void judgeWhenThereIsNothingToDoIsNotStalled() {
		for (int beat = 0; beat < 100; beat++) {
			this.watch.judge(beat % 5 != 0, 7);
			pass(Duration.ofSeconds(10));
		}
		assertThat(told()).isEmpty();
	}

	@Test
	void judgeWhenNoHeartbeatWasAnsweredForAWhileDoesNotCountThat() {
		judgeForAMinute();
		pass(Duration.ofMinutes(10));
		this.watch.judge(true, 7);
		assertThat(this.watch.isStalled()).isFalse();
	}

	@Test
	void judgeWhenStalledGoesOnWithTheNextJob() {
		judgeForAMinute();
		this.watch.judge(true, 7);
		this.watch.judge(true, 8);
		assertThat(this.watch.isStalled()).isFalse();
		assertThat(told()).containsExactly(new WorkerEvent.Stalled("c"), new WorkerEvent.Resumed("c"));
	}

	private void judgeForAMinute() {
		for (int beat = 0; beat < 13; beat++) {
			if (beat > 0) {
				pass(Duration.ofSeconds(5));
			}
			if (beat < 12 || this.watch.isStalled()) {
				this.watch.judge(true, 7);
			}
		}
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

	private List<WorkerEvent> told() {
		this.events.close();
		return this.told;
	}

}
