package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreUnavailableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NumberedCalls}.
 */
@Timeout(30)
class NumberedCallsTests {

	private static final int SLOTS = 4;

	private static final Duration LONG = Duration.ofMinutes(5);

	private final AtomicInteger names = new AtomicInteger();

	private final NumberedCalls slots = new NumberedCalls(null, SLOTS, () -> "producer" + this.names.incrementAndGet());

	@Test
	void takeWhenSlotIsTakenAgainNumbersUp() {
		Set<String> calls = new HashSet<>();
		for (int round = 1; round <= 3; round++) {
			List<NumberedCalls.Slot> taken = takeAll();
			for (NumberedCalls.Slot slot : taken) {
				assertThat(slot.toString()).endsWith(" " + round);
				calls.add(slot.toString());
			}
			taken.forEach(NumberedCalls.Slot::close);
		}
		assertThat(calls).hasSize(3 * SLOTS);
	}

	@Test
	void takeWhenOneIsEnoughTakesTheSameSlotAgain() {
		for (int number = 1; number <= 3; number++) {
			try (NumberedCalls.Slot slot = this.slots.take(LONG)) {
				assertThat(slot).hasToString("producer1/0 " + number);
			}
		}
	}

	@Test
	void takeWhenAllAreTakenWaitsForOne() {
		List<NumberedCalls.Slot> taken = takeAll();
		Taker waiting = new Taker(LONG);
		waiting.awaitWaiting();
		taken.get(2).close();
		assertThat(waiting.taken.join()).isSameAs(taken.get(2));
		assertThat(taken.get(2).toString()).endsWith(" 2");
	}

	@Test
	void takeWhenSeveralWaitServesThemInTurn() {
		List<NumberedCalls.Slot> taken = takeAll();
		List<Taker> waiting = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Taker taker = new Taker(LONG);
			taker.awaitWaiting();
			waiting.add(taker);
		}
		for (int i = 0; i < 3; i++) {
			taken.get(i).close();
			assertThat(this.slots.poll()).isNull();
			assertThat(waiting.get(i).taken.join()).isSameAs(taken.get(i));
		}
	}

	@Test
	void takeWhenNoneIsGivenBackInTimeSaysThatNothingWasSent() {
		takeAll();
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.slots.take(Duration.ofMillis(80)))
			.withMessageContaining("4 calls under way")
			.withMessageContaining("no slot within 60 ms")
			.withMessageContaining("nothing was sent");
	}

	@Test
	void takeWhenThreadIsInterruptedTakesAFreeOne() {
		Thread.currentThread().interrupt();
		assertThat(this.slots.take(LONG)).isNotNull();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void takeWhenInterruptedWhileItWaitsSaysThatNothingWasSent() {
		takeAll();
		Taker waiting = new Taker(LONG);
		waiting.awaitWaiting();
		waiting.thread.interrupt();
		assertThat(waiting.taken.handle((slot, failure) -> failure).join())
			.isInstanceOf(JobStoreUnavailableException.class)
			.hasMessageContaining("interrupted")
			.hasMessageContaining("nothing was sent");
	}

	@Test
	void takeWhenInterruptsArePostponedGoesOnWaiting() {
		List<NumberedCalls.Slot> taken = takeAll();
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		Taker waiting = new Taker(() -> {
			NumberedCalls.Slot slot = Interrupts.postpone(() -> this.slots.take(LONG));
			interrupted.set(Thread.currentThread().isInterrupted());
			return slot;
		});
		waiting.awaitWaiting();
		waiting.thread.interrupt();
		Awaitility.await().until(() -> !waiting.thread.isInterrupted());
		waiting.awaitWaiting();
		taken.get(1).close();
		assertThat(waiting.taken.join()).isSameAs(taken.get(1));
		assertThat(interrupted).hasValue(true);
	}

	@Test
	void renameGivesCallsAnotherName() {
		NumberedCalls.Slot before = this.slots.take(LONG);
		assertThat(before).hasToString("producer1/0 1");
		this.slots.rename();
		assertThat(before).hasToString("producer1/0 1");
		assertThat(this.slots.take(LONG)).hasToString("producer2/1 1");
	}

	private List<NumberedCalls.Slot> takeAll() {
		List<NumberedCalls.Slot> taken = new ArrayList<>();
		for (int i = 0; i < SLOTS; i++) {
			taken.add(this.slots.take(LONG));
		}
		return taken;
	}

	/**
	 * A thread that acquires a slot.
	 */
	private final class Taker {

		private final CompletableFuture<NumberedCalls.Slot> taken = new CompletableFuture<>();

		private final Thread thread;

		Taker(Duration timeout) {
			this(() -> NumberedCallsTests.this.slots.take(timeout));
		}

		Taker(Supplier<NumberedCalls.Slot> take) {
			this.thread = new Thread(() -> {
				try {
					this.taken.complete(take.get());
				}
				catch (Throwable ex) {
					this.taken.completeExceptionally(ex);
				}
			});
			this.thread.setDaemon(true);
			this.thread.start();
		}

		void awaitWaiting() {
			Awaitility.await().until(() -> this.thread.getState() == Thread.State.TIMED_WAITING);
		}

	}

}
