package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisExecutable}.
 */
class RedisExecutableTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@CsvSource({ "redis-server, Redis server v=7.0.15 sha=00000000:0 malloc=libc bits=64, Redis 7.0.15",
			"redis-server, Redis server v=6.2.0 sha=00000000:0, Redis 6.2.0",
			"redis-server, Redis server v=10.0.1, Redis 10.0.1",
			"redis-server, Redis server v=8.0-rc1 sha=00000000:0, Redis 8.0-rc1",
			"redis-server, Valkey server v=8.0.1 sha=00000000:0, Valkey 8.0.1",
			"valkey-server, Server v=7.2.5 sha=00000000:0, Valkey 7.2.5" })
	void inspectWhenNewEnoughKnowsVersion(String name, String answer, String version) throws IOException {
		Path program = Scripts.answering(this.folder.resolve(name), answer);
		assertThat(RedisExecutable.inspect(program)).isEqualTo(new RedisExecutable(program, version));
	}

	@ParameterizedTest
	@CsvSource({ "6.0.16", "5.0.14.1", "6.1.240", "2.8.9" })
	void inspectWhenTooOldThrows(String version) throws IOException {
		Path program = Scripts.answering(this.folder.resolve("redis-server"), "Redis server v=" + version + " sha=0:0");
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> RedisExecutable.inspect(program))
			.withMessageContaining("it is Redis %s, older than 6.2", version)
			.satisfies((ex) -> assertThat(ex.getExecutable()).isEqualTo(program.toString()));
	}

	@Test
	void inspectWhenSomethingElseQuotesItsAnswer() throws IOException {
		Path program = Scripts.answering(this.folder.resolve("redis-server"), "GNU bash, version 5.2.15");
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> RedisExecutable.inspect(program))
			.withMessageContaining("it answers 'GNU bash, version 5.2.15'");
	}

	@Test
	void inspectWhenNotExecutableThrows() throws IOException {
		Path file = Files.writeString(this.folder.resolve("redis-server"), "text");
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> RedisExecutable.inspect(file))
			.withMessageContaining("it does not run")
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void inspectWhenMissingThrows() {
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> RedisExecutable.inspect(this.folder.resolve("missing")))
			.withMessageContaining("it does not run");
	}

}
