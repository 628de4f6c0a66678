package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.admin.QueueState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link Trend} and {@link Trends}.
 */
class TrendTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	private final Trends trends = new Trends();

	@Test
	void trendOfAQueueThatNobodyHasSeenIsNotDrawn() {
		Trend trend = this.trends.of("mail");
		assertThat(trend.isDrawn()).isFalse();
		assertThat(trend.growth()).isZero();
		assertThat(trend.path()).isEmpty();
	}

	@Test
	void growthIsMeasuredOverAMinute() {
		add(-120, 1000);
		add(-60, 0);
		add(-30, 100);
		add(0, 120);
		assertThat(this.trends.of("mail").growth()).isEqualTo(120, within(1e-9));
		add(15, 25);
		assertThat(this.trends.of("mail").growth()).isEqualTo(-100, within(1e-9));
	}

	@Test
	void growthIsMeasuredOverLessIfNobodyHasLookedBefore() {
		add(-15, 30);
		add(0, 60);
		assertThat(this.trends.of("mail").growth()).isEqualTo(120, within(1e-9));
	}

	@Test
	void pathGoesFromLeftToRightWithGapsWhereNobodyHasLooked() {
		add(-45, 10);
		add(-15, 5);
		add(0, 0);
		assertThat(this.trends.of("mail").path()).isEqualTo("M72 0M76 10L78 20");
		assertThat(this.trends.of("mail").width()).isEqualTo(78);
	}

	@Test
	void lineIsDrawnOnceAMinuteIsKnown() {
		for (int step = 0; step < 4; step++) {
			add(15 * step, 10);
			assertThat(this.trends.of("mail").isDrawn()).isFalse();
		}
		add(60, 0);
		assertThat(this.trends.of("mail").isDrawn()).isTrue();
	}

	@Test
	void lineOfAnEmptyQueueIsNotDrawn() {
		for (int step = 0; step < 40; step++) {
			add(15 * step, 0);
		}
		assertThat(this.trends.of("mail").isDrawn()).isFalse();
	}

	@Test
	void addForgetsWhatIsOlderThanTenMinutes() {
		add(0, 10);
		add((int) Duration.ofMinutes(10).toSeconds(), 0);
		assertThat(this.trends.of("mail").path()).isEqualTo("M78 20");
	}

	@Test
	void addKeepsTheLatestOfAStep() {
		add(0, 10);
		add(5, 0);
		assertThat(this.trends.of("mail").path()).isEqualTo("M78 20");
	}

	private void add(int second, long ready) {
		this.trends.add(NOW.plusSeconds(second),
				List.of(new QueueState("mail", Duration.ZERO, ready, 0, 0, 0, 0, 0, 0)));
	}

}
