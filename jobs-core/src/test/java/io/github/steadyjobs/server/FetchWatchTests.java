package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.WorkerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FetchWatch}, at a clock that stands at any time we like.
 */
class FetchWatchTests {

	private final List<WorkerEvent> told = new CopyOnWriteArrayList<>();

	private final WorkerEvents events = new WorkerEvents(this.told::add);

	private final AtomicLong now = new AtomicLong();

	private final FetchWatch watch = new FetchWatch("c", this.events, this.now::get);

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void unansweredWhenOnlyHeartbeatsAreAnsweredIsStalledAfterThreeConnections() {
		for (int failure = 0; failure < 2; failure++) {
			this.watch.heartbeatAnswered();
			failLater();
		}
		assertThat(this.watch.isStalled()).isFalse();
		this.watch.heartbeatAnswered();
		failLater();
		assertThat(this.watch.isStalled()).isTrue();
		this.watch.heartbeatAnswered();
		failLater();
		assertThat(told()).containsExactly(new WorkerEvent.Stalled("c"));
	}

	@Test
	void unansweredWhenRedisIsAwayForAllIsNotStalledNorWhenItIsBack() {
		this.watch.heartbeatAnswered();
		for (int failure = 0; failure < 20; failure++) {
			failLater();
		}
		// Heartbeats may be the first to find that it is back.
		this.watch.heartbeatAnswered();
		failLater();
		this.watch.answered();
		assertThat(told()).isEmpty();
	}

	@Test
	void unansweredWhenManyFailAtOnceCountsThemAsOne() {
		for (int failure = 0; failure < 20; failure++) {
			this.watch.heartbeatAnswered();
			this.watch.unanswered();
		}
		assertThat(this.watch.isStalled()).isFalse();
	}

	@Test
	void answeredBetweenFailuresBeginsAnew() {
		for (int failure = 0; failure < 20; failure++) {
			this.watch.heartbeatAnswered();
			failLater();
			if (failure % 2 == 1) {
				this.watch.answered();
			}
		}
		assertThat(told()).isEmpty();
	}

	@Test
	void answeredWhenStalledResumes() {
		for (int failure = 0; failure < 3; failure++) {
			this.watch.heartbeatAnswered();
			failLater();
		}
		this.watch.answered();
		this.watch.answered();
		assertThat(this.watch.isStalled()).isFalse();
		assertThat(told()).containsExactly(new WorkerEvent.Stalled("c"), new WorkerEvent.Resumed("c"));
	}

	private void failLater() {
		this.now.addAndGet(Duration.ofSeconds(5).toNanos());
		this.watch.unanswered();
	}

	private List<WorkerEvent> told() {
		this.events.close();
		return this.told;
	}

}
