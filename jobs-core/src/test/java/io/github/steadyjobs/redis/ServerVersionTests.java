package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerVersion}.
 */
class ServerVersionTests {

	@Test
	void ofWhenRedisTellsItsVersion() {
		ServerVersion version = parse("# Server\r\nredis_version:7.0.15\r\nredis_git_sha1:0\r\n");
		assertThat(version).isEqualTo(new ServerVersion("Redis", "7.0.15")).hasToString("Redis 7.0.15");
	}

	@Test
	void ofWhenValkeyPretendsToBeRedisTellsValkey() {
		ServerVersion version = parse(
				"# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n");
		assertThat(version).isEqualTo(new ServerVersion("Valkey", "8.1.0"));
	}

	@Test
	void ofWhenVersionIsHiddenTellsUnknown() {
		ServerVersion version = parse("# Server\r\nos:Linux\r\n");
		assertThat(version).isEqualTo(new ServerVersion("Redis", "unknown"));
		assertThat(version.isSupported()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "dragonfly, Dragonfly, df-v1.23.0", "garnet, Garnet, 1.0.61" })
	void ofWhenOtherProductPretendsToBeRedisTellsWhich(String name, String product, String version) {
		ServerVersion parsed = parse(
				"# Server\r\nredis_version:7.4.0\r\n%s_version:%s\r\ngcc_version:12.2.0\r\n".formatted(name, version));
		assertThat(parsed).isEqualTo(new ServerVersion(product, version));
		assertThat(parsed.isTested()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "6.2.0, true", "6.2.14, true", "7.0.15, true", "10.1, true", "6.0.16, false", "6.1.240, false",
			"5.0.14, false", "255.255.255, true" })
	@DisplayName("LK-35: Redis 6.2 is the oldest supported version")
	void isSupportedFromSixTwoOn(String version, boolean supported) {
		assertThat(new ServerVersion("Redis", version).isSupported()).isEqualTo(supported);
	}

	private static ServerVersion parse(String info) {
		return ServerVersion.of(Answers.info(List.of(info.getBytes(StandardCharsets.UTF_8))));
	}

}
