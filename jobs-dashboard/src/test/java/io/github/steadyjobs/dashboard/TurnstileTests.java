package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Turnstile}.
 */
class TurnstileTests {

	@Test
	void enterWhenFullGivesUpAfterAWhile() {
		Turnstile turnstile = new Turnstile(Duration.ofMillis(10));
		fill(turnstile);
		assertThat(turnstile.enter()).isFalse();
		turnstile.leave();
		assertThat(turnstile.enter()).isTrue();
	}

	@Test
	void enterWhenSomebodyLeavesSucceeds() {
		Turnstile turnstile = new Turnstile(Duration.ofMinutes(1));
		fill(turnstile);
		CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(turnstile::enter);
		turnstile.leave();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
	}

	@Test
	void enterWhenTooManyWaitGivesUpAtOnce() {
		Turnstile turnstile = new Turnstile(Duration.ofMinutes(1));
		fill(turnstile);
		List<Thread> waiting = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Thread thread = new Thread(turnstile::enter);
			thread.setDaemon(true);
			thread.start();
			waiting.add(thread);
		}
		Awaitility.await()
			.until(() -> waiting.stream().allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING));
		assertThat(turnstile.enter()).isFalse();
		waiting.forEach((thread) -> turnstile.leave());
	}

	private static void fill(Turnstile turnstile) {
		for (int i = 0; i < 4; i++) {
			assertThat(turnstile.enter()).isTrue();
		}
	}

}
