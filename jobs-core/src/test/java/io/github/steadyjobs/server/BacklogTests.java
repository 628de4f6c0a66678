package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Backlog}.
 */
@Timeout(30)
class BacklogTests {

	private final AtomicInteger released = new AtomicInteger();

	private final Backlog backlog = new Backlog(2, this.released::incrementAndGet);

	@Test
	void mayGoOnWhenWithinTheLimitHoldsNobody() {
		this.backlog.add();
		assertThat(this.backlog.mayGoOn()).isTrue();
		this.backlog.add();
		assertThat(this.backlog.mayGoOn()).isTrue();
		this.backlog.remove();
		this.backlog.remove();
		assertThat(this.released).hasValue(0);
	}

	@Test
	void mayGoOnWhenAboveTheLimitHoldsTheWorkerUntilOneIsSettled() {
		add(2, true);
		add(2, false);
		this.backlog.remove();
		assertThat(this.released).hasValue(1);
		this.backlog.remove();
		assertThat(this.released).hasValue(2);
		this.backlog.remove();
		this.backlog.remove();
		assertThat(this.released).hasValue(2);
		add(2, true);
	}

	@Test
	void mayGoOnWhenSettledAtOnceHoldsNobody() {
		add(2, true);
		this.backlog.add();
		this.backlog.remove();
		assertThat(this.backlog.mayGoOn()).isTrue();
		assertThat(this.released).hasValue(0);
	}

	@Test
	void awaitEmptyWhenEmptyReturnsAtOnce() throws InterruptedException {
		assertThat(this.backlog.awaitEmpty(Duration.ofDays(1))).isTrue();
	}

	@Test
	void awaitEmptyWhenTheLastOneIsSettledReturns() {
		add(2, true);
		CompletableFuture<Boolean> empty = CompletableFuture.supplyAsync(() -> {
			try {
				return this.backlog.awaitEmpty(Duration.ofDays(1));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.backlog.remove();
		assertThat(empty).isNotDone();
		this.backlog.remove();
		assertThat(empty.join()).isTrue();
	}

	@Test
	void awaitEmptyWhenTimeIsUpSaysSo() throws InterruptedException {
		add(1, true);
		assertThat(this.backlog.awaitEmpty(Duration.ofMillis(1))).isFalse();
	}

	private void add(int count, boolean mayGoOn) {
		for (int i = 0; i < count; i++) {
			this.backlog.add();
			assertThat(this.backlog.mayGoOn()).isEqualTo(mayGoOn);
		}
	}

}
