package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.client.Deduplicator.DryRun;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DryRun}.
 */
class DryRunTests {

	private final AtomicLong clock = new AtomicLong();

	private final DryRun dryRun = new DryRun(Duration.ofNanos(10), this.clock::get);

	@Test
	void isRepeatedWhenKeyIsRememberedIsTrueUntilItsTimeHasPassed() {
		assertThat(this.dryRun.isRepeated("a")).isFalse();
		this.clock.set(9);
		assertThat(this.dryRun.isRepeated("a")).isTrue();
		this.clock.set(10);
		assertThat(this.dryRun.isRepeated("a")).isFalse();
		assertThat(this.dryRun.isRepeated("a")).isTrue();
	}

	@Test
	void isRepeatedRemembersTenThousandKeys() {
		for (int i = 0; i <= 10_000; i++) {
			assertThat(this.dryRun.isRepeated("key" + i)).isFalse();
		}
		assertThat(this.dryRun.isRepeated("key1")).isTrue();
		assertThat(this.dryRun.isRepeated("key0")).isFalse();
	}

}
