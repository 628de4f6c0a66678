package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JobRequest}: metadata, keys and scores, and spreading over time.
 */
class JobRequestTests {

	private static final JobRequest REQUEST = JobRequest.named("Orders.handle", 1);

	@Test
	void metaWhenMapAddsAllOfIt() {
		JobRequest request = REQUEST.meta("a", "1").meta(Map.of("b", "2", "a", "3")).meta(Map.of());
		assertThat(request.options().meta()).containsOnly(Map.entry("a", "3"), Map.entry("b", "2"));
		assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.meta(Map.of("", "x")))
			.withMessage("'name' must not be null or empty");
		Map<String, String> withoutValue = new HashMap<>();
		withoutValue.put("tenant", null);
		assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.meta(withoutValue))
			.withMessage("'value' must not be null; leave out 'tenant' if it has none");
	}

	@Test
	@DisplayName("LK-28: a request may have a key, a score and a time")
	void keyAndScoreAreKeptWhenOtherSettingsChange() {
		JobRequest request = REQUEST.key("o-7").score(3).retries(2).dead(false).tags("a").meta("b", "c");
		assertThat(request.options().key()).isEqualTo("o-7");
		assertThat(request.options().score()).isEqualTo("3");
		assertThat(request.options().tags()).containsExactly("a");
		assertThat(REQUEST.options().key()).isNull();
		assertThat(REQUEST.options().score()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "1536323288, 1536323288", "-7, -7", "0.25, 0.25", "-0.0, 0", "999999999999999, 999999999999999",
			"1e15, 1.0E15", "-1e15, -1.0E15", "1e300, 1.0E300", "5e-324, 4.9E-324", "0.1, 0.1" })
	void scoreIsDecimalText(double score, String text) {
		assertThat(REQUEST.score(score).options().score()).isEqualTo(text);
		assertThat(Double.parseDouble(text)).isEqualTo(score + 0.0);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, 9_007_199_254_740_993L, Long.MAX_VALUE, Long.MIN_VALUE })
	void scoreOfLongIsExact(long score) {
		assertThat(REQUEST.score(score).options().score()).isEqualTo(Long.toString(score));
	}

	@ParameterizedTest
	@ValueSource(doubles = { Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY })
	void scoreWhenNotFiniteIsRefused(double score) {
		assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.score(score))
			.withMessage("'score' must be a number, neither NaN nor infinite");
	}

	@Test
	void keyWhenNotOneTo256CharactersIsRefused() {
		assertThat(REQUEST.key("k".repeat(256)).options().key()).hasSize(256);
		for (String key : new String[] { "", "k".repeat(257) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.key(key))
				.withMessage("'key' must be 1 to 256 characters");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.key(null))
			.withMessageStartingWith("'key' must not be null");
	}

	@Test
	@DisplayName("SK-64: requests are spread evenly over a period of time")
	void spreadDelaysRequestsEvenly() {
		List<JobRequest> spread = JobRequest.spread(List.of(REQUEST, REQUEST.tags("a"), REQUEST),
				Duration.ofMillis(100));
		assertThat(spread).extracting((request) -> request.options().delay())
			.containsExactly(null, Duration.ofNanos(33_333_333), Duration.ofNanos(66_666_666));
		assertThat(spread.get(1).options().tags()).containsExactly("a");
		assertThat(JobRequest.spread(List.of(), Duration.ofDays(1))).isEmpty();
	}

	@Test
	void spreadWhenARequestHasATimeOfItsOwnIsRefused() {
		for (JobRequest timed : List.of(REQUEST.after(Duration.ZERO), REQUEST.at(Instant.EPOCH))) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> JobRequest.spread(List.of(REQUEST, timed), Duration.ofDays(1)))
				.withMessage("Orders.handle (element 1) has a time of its own, so it cannot be spread");
		}
	}

	@Test
	void spreadWhenThereIsNothingToSpreadOverIsRefused() {
		for (Duration interval : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(1))) {
			assertThatIllegalArgumentException().isThrownBy(() -> JobRequest.spread(List.of(REQUEST), interval))
				.withMessage("'interval' must be 1 ms or more, but is " + interval);
		}
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobRequest.spread(Arrays.asList(REQUEST, null), Duration.ofDays(1)))
			.withMessage("'requests' must not contain null, but element 1 is null");
	}

}
