package io.github.steadyjobs.redis;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerProbe.Version}.
 */
class ServerProbeTests {

	@Test
	void ofWhenRedisTellsItsVersion() {
		ServerProbe.Version version = parse("# Server\r\nredis_version:7.0.15\r\nredis_git_sha1:0\r\n");
		assertThat(version).isEqualTo(new ServerProbe.Version("Redis", "7.0.15")).hasToString("Redis 7.0.15");
	}

	@Test
	void ofWhenValkeyPretendsToBeRedisTellsValkey() {
		ServerProbe.Version version = parse(
				"# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n");
		assertThat(version).isEqualTo(new ServerProbe.Version("Valkey", "8.1.0"));
	}

	@Test
	void ofWhenVersionIsHiddenTellsUnknown() {
		ServerProbe.Version version = parse("# Server\r\nos:Linux\r\n");
		assertThat(version).isEqualTo(new ServerProbe.Version("Redis", "unknown"));
		assertThat(version.isSupported()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "dragonfly, Dragonfly, df-v1.23.0", "garnet, Garnet, 1.0.61" })
	void ofWhenOtherProductPretendsToBeRedisTellsWhich(String name, String product, String version) {
		ServerProbe.Version parsed = parse(
				"# Server\r\nredis_version:7.4.0\r\n%s_version:%s\r\ngcc_version:12.2.0\r\n".formatted(name, version));
		assertThat(parsed).isEqualTo(new ServerProbe.Version(product, version));
		assertThat(parsed.isTested()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "6.2.0, true", "6.2.14, true", "7.0.15, true", "10.1, true", "6.0.16, false", "6.1.240, false",
			"5.0.14, false", "255.255.255, true" })
	@DisplayName("LK-35: Redis 6.2 is the oldest")
	void isSupportedFromSixTwoOn(String version, boolean supported) {
		assertThat(new ServerProbe.Version("Redis", version).isSupported()).isEqualTo(supported);
	}

	private static ServerProbe.Version parse(String info) {
		return ServerProbe.Version.of(ServerProbe.Facts.parse(info));
	}

}
