package io.github.steadyjobs.support;

import java.nio.file.Path;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link OwnRedis} and {@link SentinelRedis}, which other tests rely on.
 */
@Tag("redis-program")
class OwnRedisIntegrationTests {

	@Test
	void restartWhenDurableBringsDataBack() {
		try (OwnRedis own = OwnRedis.startDurable()) {
			long firstPid = own.pid();
			own.redis().template().opsForValue().set("key", "value");
			own.kill();
			own.restart();
			assertThat(own.redis().template().opsForValue().get("key")).isEqualTo("value");
			assertThat(own.pid()).isNotEqualTo(firstPid);
		}
	}

	@Test
	void restartWhenNotDurableBringsNothingBack() {
		try (OwnRedis own = OwnRedis.start()) {
			own.redis().template().opsForValue().set("key", "value");
			own.stop();
			own.restart();
			assertThat(own.redis().template().opsForValue().get("key")).isNull();
		}
	}

	@Test
	void startWhenLastPartFailsClosesTheOthers() {
		List<ProcessHandle> before = children();
		assertThatIllegalStateException().isThrownBy(() -> SentinelRedis.start((server) -> Path.of("false")))
			.withMessageStartingWith("The Sentinel has ended");
		Awaitility.await().untilAsserted(() -> assertThat(children()).containsExactlyInAnyOrderElementsOf(before));
	}

	private static List<ProcessHandle> children() {
		return ProcessHandle.current().children().toList();
	}

}
