package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnitOfWork}.
 */
class UnitOfWorkTests {

	@Test
	void whenJobSynchronizesOnItsContextKeepsNobodyWaiting() {
		UnitOfWork work = work();
		synchronized (work) {
			CompletableFuture<Boolean> others = CompletableFuture.supplyAsync(() -> {
				work.interrupt();
				work.giveBack();
				return work.isGivenBack() && !work.giveBackUnbegun();
			});
			assertThat(others).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
		}
	}

	@Test
	void cancelRunBeforeItBeginsInterruptsItThen() {
		UnitOfWork work = work();
		work.cancelRun();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		work.begin();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(work.isRunCancelled()).isTrue();
		work.end();
	}

	@Test
	void interruptWhenTheRunEndsMeanwhileNeverHitsTheNextOne() {
		AtomicReference<UnitOfWork> current = new AtomicReference<>(work());
		CompletableFuture<Void> interrupts = CompletableFuture.runAsync(() -> {
			for (UnitOfWork work = current.get(); work != null; work = current.get()) {
				work.interrupt();
			}
		});
		int hit = 0;
		try {
			for (int run = 0; run < 10_000; run++) {
				UnitOfWork work = work();
				current.set(work);
				work.begin();
				work.end();
				hit += Thread.interrupted() ? 1 : 0;
			}
		}
		finally {
			current.set(null);
		}
		assertThat(interrupts).succeedsWithin(Duration.ofSeconds(30));
		assertThat(hit).isZero();
	}

	private static UnitOfWork work() {
		return new UnitOfWork(new ClaimedJob(new JobToken("q", "p.1", "a", "c/1"), new byte[0], "", 1, 1), 0, 0);
	}

}
