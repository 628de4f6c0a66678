package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.redis.ProcessStore.Instruction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessControl}.
 */
class ProcessControlTests {

	private final List<String> done = new CopyOnWriteArrayList<>();

	private final ProcessControl control = new ProcessControl()
		.on(Instruction.QUIET, (number) -> this.done.add("quiet " + number))
		.on(Instruction.STOP, (number) -> this.done.add("stop " + number))
		.on(Instruction.DUMP, (number) -> {
			throw new IllegalStateException("no dump");
		});

	@Test
	void askedWhenNothingIsAskedDoesNothing() {
		this.control.asked(Map.of(Instruction.QUIET, 0L, Instruction.STOP, 0L, Instruction.DUMP, 0L));
		assertThat(this.control.obeyed()).isZero();
	}

	@Test
	void askedWhenSeveralAreNewDoesEachOnce() {
		Map<Instruction, Long> asked = Map.of(Instruction.QUIET, 3L, Instruction.STOP, 2L);
		this.control.asked(asked);
		assertThat(this.control.obeyed()).isEqualTo(3);
		this.control.asked(asked);
		this.control.asked(Map.of(Instruction.QUIET, 4L, Instruction.STOP, 2L));
		awaitDone("quiet 3", "stop 2", "quiet 4");
	}

	@Test
	void askedWhenAnAnswerComesLateDoesNothingAgain() {
		this.control.asked(Map.of(Instruction.QUIET, 2L));
		this.control.asked(Map.of(Instruction.QUIET, 1L));
		this.control.asked(Map.of(Instruction.STOP, 3L));
		awaitDone("quiet 2", "stop 3");
	}

	@Test
	void askedWhenItFailsGoesOn() {
		this.control.asked(Map.of(Instruction.DUMP, 1L));
		this.control.asked(Map.of(Instruction.QUIET, 2L));
		awaitDone("quiet 2");
	}

	private void awaitDone(String... expected) {
		WorkerFixture.await().untilAsserted(() -> assertThat(this.done).containsExactlyInAnyOrder(expected));
	}

}
