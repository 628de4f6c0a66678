package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FetchLoop}.
 */
class FetchLoopTests {

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	private final List<Throwable> unexpected = new CopyOnWriteArrayList<>();

	private final FetchLoop loop = new FetchLoop(new Repeater(this.scheduler),
			new Vitals(null, null, this.unexpected::add, (version) -> {
			}, Duration.ofMinutes(1)));

	@AfterEach
	void close() {
		this.scheduler.shutdownNow();
	}

	@Test
	void postRunsTheNewsBeforeTheStep() {
		List<String> ran = new ArrayList<>();
		this.loop.onNews(() -> ran.add("step"));
		this.loop.post(() -> ran.add("news"));
		assertThat(ran).containsExactly("news", "step");
	}

	@Test
	void postInsideOfAStepRunsAfterIt() {
		List<String> ran = new ArrayList<>();
		this.loop.onNews(() -> ran.add("step"));
		this.loop.post(() -> {
			this.loop.post(() -> ran.add("inner"));
			ran.add("outer");
		});
		assertThat(ran).containsExactly("outer", "inner", "step", "step");
	}

	@Test
	void postWhenAStepIsRunningElsewhereReturnsAtOnceAndLosesNothing() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch told = new CountDownLatch(1);
		ExecutorService other = Executors.newSingleThreadExecutor();
		other.execute(() -> this.loop.post(() -> {
			running.countDown();
			await(release);
		}));
		await(running);
		this.loop.post(told::countDown);
		assertThat(told.getCount()).isOne();
		release.countDown();
		await(told);
		other.shutdown();
	}

	@Test
	void runWhenCalledByManyThreadsRunsOneStepAtATimeAndOneAfterTheLastCall() throws InterruptedException {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger posted = new AtomicInteger();
		AtomicInteger seen = new AtomicInteger();
		this.loop.onNews(() -> {
			most.accumulateAndGet(inside.incrementAndGet(), Math::max);
			seen.set(posted.get());
			inside.decrementAndGet();
		});
		ExecutorService threads = Executors.newFixedThreadPool(8);
		for (int i = 0; i < 20_000; i++) {
			threads.execute(() -> {
				posted.incrementAndGet();
				this.loop.run();
			});
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(most).hasValue(1);
		assertThat(seen).hasValue(20_000);
	}

	@Test
	@DisplayName("SK-16, LK-38: exceptions that escape go to listeners, and fetching continues")
	void runWhenAStepFailsTellsAndTriesAgain() {
		AtomicInteger steps = new AtomicInteger();
		this.loop.onNews(() -> {
			if (steps.incrementAndGet() < 3) {
				throw new NoClassDefFoundError("broken " + steps);
			}
		});
		this.loop.run();
		WorkerFixture.await().until(() -> steps.get() >= 3);
		assertThat(this.unexpected).extracting(Throwable::getMessage).containsExactly("broken 1", "broken 2");
	}

	@Test
	void postWhenNewsFailHearsTheOthersAllTheSame() {
		CountDownLatch heard = new CountDownLatch(1);
		this.loop.post(() -> {
			this.loop.post(() -> {
				throw new IllegalStateException("broken");
			});
			this.loop.post(heard::countDown);
		});
		await(heard);
		assertThat(this.unexpected).hasSize(1);
	}

	@Test
	void runAtRunsTheStepAtThatTimeAndOnceForAllThatAreLater() {
		AtomicInteger steps = new AtomicInteger();
		long soon = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
		this.loop.onNews(steps::incrementAndGet);
		this.loop.post(() -> {
			this.loop.runAt(soon);
			this.loop.runAt(soon + 1);
			this.loop.runAt(soon + TimeUnit.DAYS.toNanos(1));
		});
		WorkerFixture.await().until(() -> steps.get() == 2);
		assertThat(System.nanoTime() - soon).isNotNegative();
	}

	@Test
	void runAtWhenOftenMovedForwardKeepsOneAlarm() {
		ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1);
		FetchLoop moved = new FetchLoop(new Repeater(alarms), new Vitals(null, null, (ex) -> {
		}, (version) -> {
		}, Duration.ofMinutes(1)));
		try {
			moved.onNews(() -> moved.runAt(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5)));
			for (int i = 0; i < 1000; i++) {
				moved.post(() -> moved.runAt(System.nanoTime()));
			}
			WorkerFixture.await().until(() -> alarms.getQueue().size() <= 1);
			long before = alarms.getCompletedTaskCount();
			WorkerFixture.await().until(() -> alarms.getCompletedTaskCount() > before + 10);
			assertThat(alarms.getQueue()).hasSizeLessThanOrEqualTo(1);
		}
		finally {
			alarms.shutdownNow();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
