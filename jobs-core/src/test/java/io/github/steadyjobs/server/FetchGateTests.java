package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FetchGate}.
 */
@Timeout(30)
class FetchGateTests {

	private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

	private final FetchGate gate = new FetchGate(3);

	@Test
	void takeWorkersWhenSomeAreFreeTakesAll() {
		assertThat(this.gate.hasFreeWorkers()).isTrue();
		assertThat(this.gate.takeWorkers()).isEqualTo(3);
		assertThat(this.gate.hasFreeWorkers()).isFalse();
		this.gate.releaseWorkers(2);
		this.gate.releaseWorkers(0);
		assertThat(this.gate.takeWorkers()).isEqualTo(2);
	}

	@Test
	void takeWorkersWhenNoneIsFreeWaitsForOne() {
		this.gate.takeWorkers();
		CompletableFuture<Integer> taken = asleep(this.gate::takeWorkers);
		this.gate.releaseWorkers(1);
		assertThat(taken.join()).isEqualTo(1);
	}

	@Test
	void takeWorkersWhenAHintComesEndsWithoutAny() {
		this.gate.takeWorkers();
		CompletableFuture<Integer> taken = asleep(this.gate::takeWorkers);
		this.gate.hint("q");
		assertThat(taken.join()).isZero();
		assertThat(this.gate.nextHint()).isEqualTo("q");
		assertThat(this.gate.nextHint()).isNull();
	}

	@Test
	void takeWorkersWhenAWaitEndedWithoutAHintGoesOnWaiting() {
		this.gate.takeWorkers();
		CompletableFuture<Integer> taken = asleep(this.gate::takeWorkers);
		this.gate.hint(null);
		assertThat(taken).isNotDone();
		this.gate.releaseWorkers(1);
		assertThat(taken.join()).isEqualTo(1);
	}

	@Test
	void takeWorkersWhenClosedEnds() {
		this.gate.takeWorkers();
		CompletableFuture<Integer> taken = asleep(this.gate::takeWorkers);
		this.gate.close();
		assertThat(taken.join()).isZero();
		assertThat(this.gate.isClosed()).isTrue();
		this.gate.releaseWorkers(1);
		assertThat(this.gate.takeWorkers()).isZero();
	}

	@Test
	void awaitHintWhenAHintComesEnds() {
		assertEnds(() -> this.gate.awaitHint(FOR_EVER), () -> this.gate.hint("q"));
		assertThat(this.gate.nextHint()).isEqualTo("q");
	}

	@Test
	void awaitHintWhenAWaitEndedWithoutAHintEnds() {
		assertEnds(() -> this.gate.awaitHint(FOR_EVER), () -> this.gate.hint(null));
		assertThat(this.gate.nextHint()).isNull();
	}

	@Test
	void awaitHintWhenClosedEnds() {
		assertEnds(() -> this.gate.awaitHint(FOR_EVER), this.gate::close);
	}

	@Test
	void awaitHintWhenItCameBeforeDoesNotWait() {
		this.gate.hint("a");
		this.gate.awaitHint(FOR_EVER);
		assertThat(this.gate.nextHint()).isEqualTo("a");
		this.gate.hint(null);
		this.gate.awaitHint(FOR_EVER);
	}

	@Test
	void awaitHintWhenTimeIsUpEnds() {
		this.gate.awaitHint(1);
		this.gate.awaitHint(-1);
	}

	@Test
	void pauseWhenDisturbedGoesOnUntilClosed() {
		CompletableFuture<Integer> paused = asleep(() -> {
			this.gate.pause(FOR_EVER);
			return 0;
		});
		this.gate.hint("q");
		this.gate.releaseWorkers(1);
		assertThat(paused).isNotDone();
		this.gate.close();
		paused.join();
	}

	@Test
	void takeWorkersWhenManyReleaseAtOnceLosesNone() {
		int released = 20_000;
		this.gate.takeWorkers();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			threads.add(new Thread(() -> {
				for (int n = 0; n < released / 4; n++) {
					this.gate.releaseWorkers(1);
				}
			}));
		}
		threads.forEach(Thread::start);
		int taken = 0;
		while (taken < released) {
			taken += this.gate.takeWorkers();
		}
		assertThat(taken).isEqualTo(released);
		assertThat(this.gate.hasFreeWorkers()).isFalse();
	}

	private void assertEnds(Runnable wait, Runnable event) {
		CompletableFuture<Integer> waited = asleep(() -> {
			wait.run();
			return 0;
		});
		event.run();
		waited.join();
	}

	/**
	 * Run something that waits, and return once it does.
	 */
	private static CompletableFuture<Integer> asleep(Supplier<Integer> wait) {
		AtomicReference<Thread> sleeper = new AtomicReference<>();
		CompletableFuture<Integer> done = new CompletableFuture<>();
		Thread thread = new Thread(() -> done.complete(wait.get()));
		thread.setDaemon(true);
		sleeper.set(thread);
		thread.start();
		WorkerFixture.await()
			.until(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
		return done;
	}

}
