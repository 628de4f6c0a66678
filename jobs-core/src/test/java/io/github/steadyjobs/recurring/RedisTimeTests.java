package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTime}.
 */
class RedisTimeTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	private final RedisTime time = new RedisTime(this.nanos::get, START.plusSeconds(3600));

	@BeforeEach
	void tellTheTime() {
		this.time.set(START);
	}

	@Test
	void setWhenItIsTheFirstAnswerBelievesItWhateverTheClockHereSays() {
		assertThat(this.time.now()).isEqualTo(START);
	}

	@Test
	void nowGoesOnWithTheClockOfThisProcess() {
		pass(Duration.ofSeconds(1));
		assertThat(this.time.now()).isBetween(START.plusMillis(999), START.plusSeconds(1));
	}

	@Test
	void setWhenAnswerWasOnItsWayForLongKeepsTheBetterOne() {
		pass(Duration.ofSeconds(1));
		this.time.set(START.plusMillis(900));
		assertThat(this.time.now()).isAfterOrEqualTo(START.plusMillis(999));
		this.time.set(START.plusMillis(1003));
		assertThat(this.time.now()).isEqualTo(START.plusMillis(1003));
	}

	@Test
	void setWhenClocksHaveDriftedBelievesLaterAnswers() {
		// This clock is fast by less than is reckoned with.
		pass(Duration.ofMinutes(10).plusMillis(20));
		this.time.set(START.plus(Duration.ofMinutes(10)));
		assertThat(this.time.now()).isEqualTo(START.plus(Duration.ofMinutes(10)));
	}

	@Test
	void setWhenClockWasSetBelievesIt() {
		this.time.set(START.minusSeconds(60));
		// It may be an answer that this process has read late, because it stood still.
		assertThat(this.time.now()).isEqualTo(START);
		this.time.set(START.minusSeconds(60));
		assertThat(this.time.now()).isEqualTo(START.minusSeconds(60));
		this.time.set(START.plusSeconds(60));
		assertThat(this.time.now()).isEqualTo(START.plusSeconds(60));
	}

	@Test
	void correctBelievesATimeThatIsBehind() {
		this.time.correct(START.minusMillis(5));
		assertThat(this.time.now()).isEqualTo(START.minusMillis(5));
	}

	private void pass(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

}
