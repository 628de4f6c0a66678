package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PrivateFolder}.
 */
class PrivateFolderTests {

	@TempDir
	private Path parent;

	@Test
	void getWhenMissingCreatesItForItsOwnerOnly() throws IOException {
		Path folder = PrivateFolder.get(this.parent.resolve("new"));
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
		assertThat(folder).isEmptyDirectory();
	}

	@Test
	void getWhenCreatedBeforeFindsIt() {
		Path folder = PrivateFolder.get(this.parent.resolve("new"));
		assertThat(PrivateFolder.get(this.parent.resolve("new"))).isEqualTo(folder);
	}

	@Test
	void getWhenOpenToOthersThrows() throws IOException {
		Path folder = PrivateFolder.get(this.parent.resolve("new"));
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> PrivateFolder.get(folder))
			.withMessageContaining("open to others");
	}

	@Test
	void getWhenLinkThrows() throws IOException {
		Path target = PrivateFolder.get(this.parent.resolve("target"));
		Path link = Files.createSymbolicLink(this.parent.resolve("link"), target);
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> PrivateFolder.get(link));
	}

}
