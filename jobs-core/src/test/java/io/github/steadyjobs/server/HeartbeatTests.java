package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Heartbeat}.
 */
class HeartbeatTests {

	@Test
	@DisplayName("SK-16: what escapes a heartbeat goes to listeners, and there is another")
	void startWhenABeatFailsTellsAndBeatsAgain() {
		List<Throwable> unexpected = new CopyOnWriteArrayList<>();
		BackgroundThread scheduler = new BackgroundThread("test", true, unexpected::add);
		try {
			// Without anything to ask for the queues, each beat fails.
			new Heartbeat(null, Duration.ofMillis(5), (queue, beat) -> {
			}, null).start(scheduler);
			WorkerFixture.await().until(() -> unexpected.size() > 1);
			assertThat(unexpected).hasOnlyElementsOfType(NullPointerException.class);
		}
		finally {
			scheduler.shutdownNow();
		}
	}

}
