package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallSlots}.
 */
class CallSlotsTests {

	private static final int SLOTS = 64;

	private final CallSlots slots = new CallSlots();

	@Test
	void takeWhenSlotIsTakenAgainNumbersUp() throws Exception {
		Set<String> calls = new HashSet<>();
		for (int i = 0; i < 3 * SLOTS; i++) {
			CallSlots.Slot slot = this.slots.take();
			assertThat(slot.number()).isEqualTo(i / SLOTS + 1);
			calls.add(slot.name() + " " + slot.number());
			this.slots.giveBack(slot);
		}
		assertThat(calls).hasSize(3 * SLOTS);
	}

	@Test
	void takeWhenAllAreTakenWaitsForOne() throws Exception {
		List<CallSlots.Slot> taken = new ArrayList<>();
		for (int i = 0; i < SLOTS; i++) {
			taken.add(this.slots.take());
		}
		CompletableFuture<CallSlots.Slot> waiting = CompletableFuture.supplyAsync(this::take);
		assertThat(waiting).isNotDone();
		this.slots.giveBack(taken.get(7));
		assertThat(waiting.join()).isSameAs(taken.get(7));
		assertThat(taken.get(7).number()).isEqualTo(2);
	}

	@Test
	void slotsOfTwoProducersHaveDifferentNames() throws Exception {
		assertThat(new CallSlots().take().name()).isNotEqualTo(new CallSlots().take().name());
	}

	private CallSlots.Slot take() {
		try {
			return this.slots.take();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
