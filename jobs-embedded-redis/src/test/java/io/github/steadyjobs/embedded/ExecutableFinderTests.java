package io.github.steadyjobs.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExecutableFinder}.
 */
class ExecutableFinderTests {

	private static final String NEW = "Redis server v=7.4.1 sha=00000000:0";

	private static final String OLD = "Redis server v=6.0.16 sha=00000000:0";

	@TempDir
	private Path folder;

	@Test
	void findWhenConfiguredUsesIt() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("elsewhere/redis", NEW);
		assertThat(finder(null, "first").find(configured.toString()).path()).isEqualTo(configured);
	}

	@Test
	void findWhenConfiguredByNameLooksItUp() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("second/my-redis", NEW);
		assertThat(finder(null, "first", "second").find("my-redis").path()).isEqualTo(configured);
	}

	@Test
	void findWhenConfiguredNameIsUnknownThrows() {
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> finder(null, "first").find("my-redis"))
			.withMessageContaining("'my-redis'")
			.withMessageContaining("not on the PATH");
	}

	@Test
	void findWhenConfiguredIsTooOldUsesNoOther() throws IOException {
		program("first/redis-server", NEW);
		Path configured = program("elsewhere/redis", OLD);
		assertThatExceptionOfType(UnusableRedisExecutableException.class)
			.isThrownBy(() -> finder(null, "first").find(configured.toString()));
	}

	@Test
	void findWhenInstalledPrefersItToBundled() throws IOException {
		Path bundled = program("bundled/redis-server", NEW);
		Path installed = program("second/redis-server", NEW);
		assertThat(finder(bundled, "first", "second").find(null).path()).isEqualTo(installed);
	}

	@Test
	void findWhenRedisAndValkeyAreInstalledPrefersRedis() throws IOException {
		program("first/valkey-server", "Valkey server v=8.0.1");
		Path redis = program("second/redis-server", NEW);
		assertThat(finder(null, "first", "second").find(null).path()).isEqualTo(redis);
	}

	@Test
	void findWhenFirstInstalledIsTooOldUsesNext() throws IOException {
		program("first/redis-server", OLD);
		Path next = program("second/redis-server", NEW);
		assertThat(finder(null, "first", "second").find(null).path()).isEqualTo(next);
	}

	@Test
	void findWhenInstalledRedisIsTooOldUsesValkey() throws IOException {
		program("first/redis-server", OLD);
		Path valkey = program("first/valkey-server", "Valkey server v=8.0.1");
		assertThat(finder(null, "first").find(null)).isEqualTo(new RedisExecutable(valkey, "Valkey 8.0.1"));
	}

	@Test
	void findWhenNoneIsInstalledUsesBundled() throws IOException {
		program("first/redis-server", OLD);
		Path bundled = program("bundled/redis-server", NEW);
		assertThat(finder(bundled, "first").find(null).path()).isEqualTo(bundled);
	}

	@Test
	void findWhenThereIsNoneThrows() {
		assertThatExceptionOfType(NoRedisExecutableException.class).isThrownBy(() -> finder(null, "first").find(null))
			.withMessageContaining(BundledRedis.platform());
	}

	private Path program(String name, String answer) throws IOException {
		return Scripts.answering(this.folder.resolve(name), answer);
	}

	private ExecutableFinder finder(@Nullable Path bundled, String... folders) {
		String path = Stream.of(folders)
			.map((name) -> this.folder.resolve(name).toString())
			.collect(Collectors.joining(File.pathSeparator));
		return new ExecutableFinder(new SearchPath(path), () -> bundled);
	}

}
