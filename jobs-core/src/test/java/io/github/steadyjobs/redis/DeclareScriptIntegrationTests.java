package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@code declare.lua}.
 */
@RedisAndClusterTest
class DeclareScriptIntegrationTests {

	private final TestRedis redis;

	private final String name;

	DeclareScriptIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.name = redis.prefix() + ":declared-" + System.nanoTime();
	}

	@Test
	void readWhenThereIsNothingTellsSo() {
		Declared nothing = read("");
		assertThat(nothing.version()).isEqualTo(Declared.NONE);
		assertThat(nothing.fields()).isEmpty();
		assertThat(nothing.now()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
	}

	@Test
	void readWhenTheVersionIsKnownTellsNoFields() {
		Declared written = change(Declared.NONE, "1 a", Map.of("one", "1"));
		assertThat(written.fields()).isEqualTo(Map.of("one", "1"));
		assertThat(read("1 a").fields()).isEmpty();
		assertThat(read("1 b").fields()).isEqualTo(Map.of("one", "1"));
	}

	@Test
	void changeWhenSentTwiceIsMadeOnce() {
		assertThat(change(Declared.NONE, "1 a", Map.of("one", "1")).done()).isTrue();
		Map<Object, Object> once = contents();
		assertThat(change(Declared.NONE, "1 a", Map.of("one", "1")).done()).isTrue();
		assertThat(contents()).isEqualTo(once);
	}

	@Test
	void changeWhenSentLateOrByASecondProcessChangesNothing() {
		change(Declared.NONE, "1 a", Map.of("one", "1"));
		change("1 a", "2 a", Collections.singletonMap("one", null));
		Map<Object, Object> before = contents();
		assertThat(before).isEqualTo(Map.of("version", "2 a"));
		assertThat(change(Declared.NONE, "1 a", Map.of("one", "1")).done()).isFalse();
		Declared second = change("1 a", "2 b", Map.of("two", "2"));
		assertThat(second.done()).isFalse();
		assertThat(second.version()).isEqualTo("2 a");
		assertThat(contents()).isEqualTo(before);
	}

	@Test
	void changeOfAFieldHeedsThatAlone() {
		Declared first = field("queue", Declared.NONE, "1 4");
		assertThat(first.version()).isEqualTo("1 4");
		assertThat(field("other", Declared.NONE, "1 8").done()).isTrue();
		assertThat(field("queue", Declared.NONE, "1 5").version()).isEqualTo("1 4");
		assertThat(field("queue", "1 4", "2 5").version()).isEqualTo("2 5");
		assertThat(contents()).isEqualTo(Map.of("queue", "2 5", "other", "1 8"));
	}

	@Test
	void changeWhenThereAreTooManyIsRefused() {
		Map<String, @Nullable String> changes = new HashMap<>();
		IntStream.range(0, 1001).forEach((number) -> changes.put("f" + number, "x"));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> change(Declared.NONE, "1 a", changes))
			.withMessageContaining("at most 1000 changes");
		assertThat(contents()).isEmpty();
	}

	@Test
	void changeWhenTypeIsWrongRefuses() {
		this.redis.template().opsForValue().set(this.name, "text");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> change(Declared.NONE, "1 a", Map.of("one", "1")))
			.has(reason(Reason.DAMAGED))
			.withMessageContaining(this.name);
		assertThat(this.redis.template().opsForValue().get(this.name)).isEqualTo("text");
	}

	@Test
	void changeWhenMemoryIsFullIsMade() {
		try (OwnRedis server = OwnRedis.start()) {
			DeclareScriptIntegrationTests full = new DeclareScriptIntegrationTests(server.redis());
			full.change(Declared.NONE, "1 a", Map.of("one", "1"));
			server.fillMemory();
			assertThat(full.read("").fields()).isEqualTo(Map.of("one", "1"));
			assertThat(full.change("1 a", "2 b", Map.of("two", "2")).done()).isTrue();
			assertThat(full.contents()).isEqualTo(Map.of("version", "2 b", "one", "1", "two", "2"));
		}
	}

	@Test
	void afterGivesAGreaterVersionEvenIfAllWasLost() {
		Instant now = Instant.now();
		String version = Declared.after(Declared.NONE, now);
		assertThat(Declared.number(version)).isEqualTo(now.toEpochMilli() * 1000);
		assertThat(Declared.number(Declared.after(version, now.minusSeconds(1))))
			.isEqualTo(Declared.number(version) + 1);
		assertThat(Declared.after(version, now)).isNotEqualTo(Declared.after(version, now));
		assertThat(Declared.number(Declared.after(Declared.NONE, now.plusMillis(1))))
			.isGreaterThan(Declared.number(version));
	}

	private Declared read(String version) {
		return run(Declared.read(key(), version));
	}

	private Declared change(String version, String next, Map<String, @Nullable String> changes) {
		return run(Declared.change(key(), Declared.VERSION, version, next, changes));
	}

	private Declared field(String field, String present, String next) {
		return run(Declared.change(key(), field, present, next, Map.of()));
	}

	private byte[] key() {
		return this.name.getBytes(StandardCharsets.UTF_8);
	}

	private Declared run(ScriptCall call) {
		return Declared.of(StoreCalls.of(this.redis.connections(), this.redis.prefix()).run(call));
	}

	private Map<Object, Object> contents() {
		return this.redis.template().opsForHash().entries(this.name);
	}

}
