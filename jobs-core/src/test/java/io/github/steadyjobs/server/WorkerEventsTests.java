package io.github.steadyjobs.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.steadyjobs.WorkerEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkerEvents}.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerEventsTests {

	private final List<WorkerEvent> part = new CopyOnWriteArrayList<>();

	private final List<WorkerEvent> application = new CopyOnWriteArrayList<>();

	@Test
	void publishWhenAListenerThrowsTellsTheOthers() {
		WorkerEvent.Listener broken = (event) -> {
			throw new StackOverflowError("pretended");
		};
		try (WorkerEvents events = new WorkerEvents(List.of(broken, this.part::add), this.application::add)) {
			events.publish(beat(1));
			events.publish(beat(2));
		}
		assertThat(this.part).containsExactly(beat(1), beat(2));
		assertThat(this.application).containsExactly(beat(1), beat(2));
	}

	@Test
	void publishWhenTheApplicationThrowsTellsTheParts() {
		try (WorkerEvents events = new WorkerEvents(List.of(this.part::add), (event) -> {
			this.application.add(event);
			throw new IllegalStateException("pretended");
		})) {
			events.publish(beat(1));
			events.publish(beat(2));
		}
		assertThat(this.part).containsExactly(beat(1), beat(2));
		assertThat(this.application).containsExactly(beat(1), beat(2));
	}

	@Test
	void publishWhenTheApplicationIsBusyTellsThePartsAndKeepsALimitedNumber(CapturedOutput output) throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		WorkerEvents events = new WorkerEvents(List.of(this.part::add), (event) -> {
			this.application.add(event);
			try {
				held.await(60, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		IntStream.range(0, 1100).forEach((number) -> events.publish(beat(number)));
		WorkerFixture.await().until(() -> this.part.size() == 1100);
		assertThat(this.application).containsExactly(beat(0));
		held.countDown();
		events.close();
		assertThat(this.application).hasSize(1001).startsWith(beat(0)).endsWith(beat(1000));
		assertThat(output).containsOnlyOnce("Listeners of worker events are busy with an earlier one");
	}

	private static WorkerEvent beat(int number) {
		return new WorkerEvent.Beat("process" + number);
	}

}
