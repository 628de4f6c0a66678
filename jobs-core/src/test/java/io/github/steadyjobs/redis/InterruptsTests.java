package io.github.steadyjobs.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Interrupts}.
 */
@Timeout(30)
class InterruptsTests {

	private static final long LONG = TimeUnit.MINUTES.toNanos(5);

	private final CompletableFuture<String> answer = new CompletableFuture<>();

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	@Test
	void getWhenThreadIsInterruptedThrows() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Interrupts.get(this.answer, LONG));
	}

	@Test
	void getWhenInterruptsArePostponedGoesOnWaiting() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CompletableFuture<String> got = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			got.complete(Interrupts.postpone(() -> getUnchecked(LONG)));
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		thread.interrupt();
		Awaitility.await().until(() -> !thread.isInterrupted() && thread.getState() == Thread.State.TIMED_WAITING);
		this.answer.complete("answer");
		assertThat(got.get()).isEqualTo("answer");
		assertThat(interrupted.get()).isTrue();
	}

	@Test
	void getWhenInterruptsArePostponedEndsWithItsTimeout() {
		Thread.currentThread().interrupt();
		assertThatIllegalStateException().isThrownBy(() -> Interrupts.postpone(() -> getUnchecked(1_000_000)))
			.withCauseInstanceOf(TimeoutException.class);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void postponeWhenThreadIsNotInterruptedLeavesItSo() {
		assertThat(Interrupts.postpone(() -> Interrupts.postpone(() -> "done"))).isEqualTo("done");
		assertThat(Thread.interrupted()).isFalse();
		assertThat(Interrupts.arePostponed()).isFalse();
	}

	@Test
	void postponeWhenNestedInterruptsAtTheEndOfTheOuter() {
		Thread.currentThread().interrupt();
		Interrupts.postpone(() -> {
			Interrupts.postpone(() -> "inner");
			return assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
		assertThat(Thread.interrupted()).isTrue();
	}

	private String getUnchecked(long nanos) {
		try {
			return Interrupts.get(this.answer, nanos);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
