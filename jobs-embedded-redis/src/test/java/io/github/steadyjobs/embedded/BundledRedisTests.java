package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BundledRedis}.
 */
class BundledRedisTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@CsvSource({ "Linux, amd64, linux-amd64", "Linux, aarch64, linux-arm64", "Linux, i386, linux-386",
			"Mac OS X, x86_64, darwin-amd64", "Mac OS X, aarch64, darwin-arm64", "Windows 11, amd64, windows11-amd64" })
	void platformNamesSystemAndProcessor(String system, String processor, String platform) {
		assertThat(BundledRedis.platform(system, processor)).isEqualTo(platform);
	}

	@ParameterizedTest
	@ValueSource(strings = { "linux-amd64", "linux-arm64", "linux-386", "darwin-amd64", "darwin-arm64" })
	void resourceWhenPlatformIsBundledExists(String platform) {
		assertThat(BundledRedis.resource(platform)).isNotNull();
	}

	@Test
	void resourceWhenPlatformIsNotBundledIsNull() {
		assertThat(BundledRedis.resource("windows11-amd64")).isNull();
	}

	@Test
	void unpackRuns() {
		Path executable = BundledRedis.unpack(this.folder);
		assertThat(executable).isNotNull();
		assertThat(RedisExecutable.inspect(executable).version()).isEqualTo("Redis 7.0.15");
	}

	@Test
	void unpackWhenUnpackedKeepsIt() throws IOException {
		Path executable = BundledRedis.unpack(this.folder);
		assertThat(executable).isNotNull();
		FileTime longAgo = FileTime.fromMillis(1000);
		Files.setLastModifiedTime(executable, longAgo);
		assertThat(BundledRedis.unpack(this.folder)).isEqualTo(executable);
		assertThat(Files.getLastModifiedTime(executable)).isEqualTo(longAgo);
	}

	@Test
	void unpackWhenDamagedReplacesIt() throws IOException {
		Path executable = BundledRedis.unpack(this.folder);
		assertThat(executable).isNotNull();
		Files.writeString(executable, "half a program");
		BundledRedis.unpack(this.folder);
		assertThat(RedisExecutable.inspect(executable).version()).isEqualTo("Redis 7.0.15");
		try (Stream<Path> files = Files.list(this.folder)) {
			assertThat(files).containsExactly(executable);
		}
	}

}
