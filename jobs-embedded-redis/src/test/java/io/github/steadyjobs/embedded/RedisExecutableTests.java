package io.github.steadyjobs.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.jspecify.annotations.Nullable;
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

	private static final String NEW = "Redis server v=7.4.1 sha=00000000:0";

	private static final String OLD = "Redis server v=6.0.16 sha=00000000:0";

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
		Path program = program(name, answer);
		assertThat(RedisExecutable.inspect(program)).isEqualTo(new RedisExecutable(program, version));
	}

	@ParameterizedTest
	@CsvSource({ "6.0.16", "5.0.14.1", "6.1.240", "2.8.9" })
	void inspectWhenTooOldThrows(String version) throws IOException {
		Path program = program("redis-server", "Redis server v=" + version + " sha=0:0");
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> RedisExecutable.inspect(program))
			.withMessageContaining("it is Redis %s, older than 6.2", version)
			.satisfies((ex) -> assertThat(ex.subject()).isEqualTo(program.toString()));
	}

	@Test
	void inspectWhenSomethingElseQuotesItsAnswer() throws IOException {
		Path program = program("redis-server", "GNU bash, version 5.2.15");
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> RedisExecutable.inspect(program))
			.withMessageContaining("it answers 'GNU bash, version 5.2.15'");
	}

	@Test
	void inspectWhenNotExecutableThrows() throws IOException {
		Path file = Files.writeString(this.folder.resolve("redis-server"), "text");
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> RedisExecutable.inspect(file))
			.withMessageContaining("it does not run")
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void inspectWhenMissingThrows() {
		assertThatExceptionOfType(EmbeddedRedisException.class)
			.isThrownBy(() -> RedisExecutable.inspect(this.folder.resolve("missing")))
			.withMessageContaining("it does not run");
	}

	@Test
	void findWhenConfiguredUsesIt() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("elsewhere/redis", NEW);
		assertThat(find(configured.toString(), null, "first").path()).isEqualTo(configured);
	}

	@Test
	void findWhenConfiguredByNameLooksItUp() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("second/my-redis", NEW);
		assertThat(find("my-redis", null, "first", "second").path()).isEqualTo(configured);
	}

	@Test
	void findWhenConfiguredNameIsUnknownThrows() {
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> find("my-redis", null, "first"))
			.withMessageContaining("'my-redis'")
			.withMessageContaining("not on the PATH");
	}

	@Test
	void findWhenConfiguredIsTooOldUsesNoOther() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("elsewhere/redis", OLD);
		assertThatExceptionOfType(EmbeddedRedisException.class)
			.isThrownBy(() -> find(configured.toString(), null, "first"))
			.matches((ex) -> ex.reason() == Reason.UNUSABLE_EXECUTABLE);
	}

	@Test
	void findWhenInstalledPrefersItToBundled() throws IOException {
		Path bundled = program("bundled/redis-server", NEW);
		Path installed = program("second/redis-server", NEW);
		assertThat(find(null, bundled, "first", "second").path()).isEqualTo(installed);
	}

	@Test
	void findWhenRedisAndValkeyAreInstalledPrefersRedis() throws IOException {
		program("first/valkey-server", "Valkey server v=8.0.1");
		Path redis = program("second/redis-server", NEW);
		assertThat(find(null, null, "first", "second").path()).isEqualTo(redis);
	}

	@Test
	void findWhenFirstInstalledIsTooOldUsesNext() throws IOException {
		program("first/redis-server", OLD);
		Path next = program("second/redis-server", NEW);
		assertThat(find(null, null, "first", "second").path()).isEqualTo(next);
	}

	@Test
	void findWhenInstalledRedisIsTooOldUsesValkey() throws IOException {
		program("first/redis-server", OLD);
		Path valkey = program("first/valkey-server", "Valkey server v=8.0.1");
		assertThat(find(null, null, "first")).isEqualTo(new RedisExecutable(valkey, "Valkey 8.0.1"));
	}

	@Test
	void findWhenNoneIsInstalledUsesBundled() throws IOException {
		program("first/redis-server", OLD);
		Path bundled = program("bundled/redis-server", NEW);
		assertThat(find(null, bundled, "first").path()).isEqualTo(bundled);
	}

	@Test
	void findWhenThereIsNoneThrows() {
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> find(null, null, "first"))
			.matches((ex) -> ex.reason() == Reason.NO_EXECUTABLE)
			.withMessageContaining(BundledRedis.platform());
	}

	private Path program(String name, String answer) throws IOException {
		Path file = this.folder.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, "#!/bin/sh\necho '" + answer + "'\n");
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

	private RedisExecutable find(@Nullable String configured, @Nullable Path bundled, String... folders) {
		String path = Stream.of(folders)
			.map((name) -> this.folder.resolve(name).toString())
			.collect(Collectors.joining(File.pathSeparator));
		return RedisExecutable.find(configured, path, () -> bundled);
	}

}
