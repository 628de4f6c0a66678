package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the scripts {@code tally} and {@code mark}.
 */
@RedisAndClusterTest
class HistoryScriptsIntegrationTests {

	private static final long HOUR = Duration.ofHours(1).toMillis();

	private final TestRedis redis;

	private final String history;

	private final String marks;

	HistoryScriptsIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.history = redis.prefix() + ":history:2026";
		this.marks = redis.prefix() + ":marks";
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void tallyAddsToWhatIsThereAndKeepsItForTheTime() {
		assertThat(tally("a", "A1b2", "b", "C5")).isZero();
		assertThat(tally("a", "A3Z1t99999999999999")).isZero();
		assertThat(this.redis.template().opsForHash().entries(this.history))
			.isEqualTo(Map.of("a", "A4b2Z1t99999999999999", "b", "C5"));
		tally("a", "t900000000000000");
		assertThat(this.redis.template().opsForHash().get(this.history, "a")).isEqualTo("A4b2Z1t999999999999999");
		assertThat(this.redis.template().getExpire(this.history)).isBetween(3590L, 3600L);
	}

	@Test
	void tallyWhenCountsAreOfANewerReleaseKeepsThem() {
		this.redis.template().opsForHash().put(this.history, "a", "A1q7");
		tally("a", "A1r1");
		assertThat(this.redis.template().opsForHash().get(this.history, "a")).isEqualTo("A2q7r1");
	}

	@Test
	void tallyWhenPeriodIsFullLeavesNewFieldsOut() {
		for (int from = 0; from < 1200; from += 400) {
			int first = from;
			tally(IntStream.range(first, first + 400)
				.boxed()
				.flatMap((n) -> List.of("n" + n, "A1").stream())
				.toArray(String[]::new));
		}
		assertThat(this.redis.template().opsForHash().size(this.history)).isEqualTo(1000);
		assertThat(tally("n1", "A1", "n1100", "A1", "n2", "A1")).isEqualTo(1);
		assertThat(this.redis.template().opsForHash().multiGet(this.history, List.of("n1", "n2"))).containsExactly("A2",
				"A2");
	}

	@Test
	void tallyWhenKeyHasWrongTypeFails() {
		this.redis.template().opsForValue().set(this.history, "x");
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> tally("a", "A1"))
			.has(reason(Reason.DAMAGED));
	}

	@Test
	void markWhenRepeatedChangesNothing() {
		assertThat(mark(1000, "1.0", false)).isOne();
		assertThat(mark(1000, "1.0", false)).isZero();
		assertThat(mark(2000, "1.0", false)).isOne();
		assertThat(mark(3000, "1.0", true)).isZero();
		assertThat(mark(3000, ".0", true)).isOne();
		assertThat(marks()).containsExactly("1000 1.0", "2000 1.0", "3000 .0");
		assertThat(this.redis.template().getExpire(this.marks)).isBetween(3590L, 3600L);
	}

	@Test
	void markRemovesWhatIsTooOld() {
		mark(1000, "old", true);
		mark(2000, "young", true);
		assertThat(mark(1000 + HOUR, "old", true)).isOne();
		assertThat(marks()).containsExactly("2000 young", (1000 + HOUR) + " old");
	}

	@Test
	void markWhenThereAreThousandRemovesTheOldest() {
		for (int i = 1; i <= 1000; i++) {
			this.redis.template().opsForZSet().add(this.marks, i + " m", i);
		}
		mark(1001, "m", false);
		assertThat(marks()).hasSize(1000).startsWith("2 m").endsWith("1001 m");
	}

	private long tally(String... fields) {
		ScriptCall call = ScriptCall.on(RunHistory.TALLY, bytes(this.history)).add(HOUR);
		for (String field : fields) {
			call.add(field);
		}
		return number(call);
	}

	private long mark(long at, String label, boolean once) {
		return number(
				ScriptCall.on(JobHistory.MARK, bytes(this.marks)).add(at).add(label).add(HOUR).add(once ? "1" : "0"));
	}

	private long number(ScriptCall call) {
		return StoreCalls.of(this.redis.connections(), this.redis.prefix()).number(call);
	}

	private List<String> marks() {
		return List.copyOf(this.redis.template().opsForZSet().range(this.marks, 0, -1));
	}

	private static byte[] bytes(String key) {
		return key.getBytes(StandardCharsets.UTF_8);
	}

}
