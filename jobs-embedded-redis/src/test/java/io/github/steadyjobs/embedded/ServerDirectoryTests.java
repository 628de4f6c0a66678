package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerDirectory}.
 */
class ServerDirectoryTests {

	@TempDir
	private Path parent;

	@Test
	void folderWhenMissingCreatesItForItsOwnerOnly() throws IOException {
		Path folder = ServerDirectory.folder(this.parent.resolve("new"));
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
		assertThat(folder).isEmptyDirectory();
	}

	@Test
	void folderWhenCreatedBeforeFindsIt() {
		Path folder = ServerDirectory.folder(this.parent.resolve("new"));
		assertThat(ServerDirectory.folder(this.parent.resolve("new"))).isEqualTo(folder);
	}

	@Test
	void folderWhenOpenToOthersThrows() throws IOException {
		Path folder = ServerDirectory.folder(this.parent.resolve("new"));
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> ServerDirectory.folder(folder))
			.withMessageContaining("open to others");
	}

	@Test
	void folderWhenLinkThrows() throws IOException {
		Path target = ServerDirectory.folder(this.parent.resolve("target"));
		Path link = Files.createSymbolicLink(this.parent.resolve("link"), target);
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> ServerDirectory.folder(link));
	}

	@Test
	void folderWhenNobodyCanBeShutOutThrows() throws IOException {
		URI archive = URI.create("jar:" + this.parent.resolve("archive.zip").toUri());
		try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
			assertThatExceptionOfType(EmbeddedRedisException.class)
				.isThrownBy(() -> ServerDirectory.folder(files.getPath("/new")))
				.withMessageContaining("no embedded Redis for " + BundledRedis.platform())
				.matches((ex) -> ex.reason() == Reason.NO_EXECUTABLE);
		}
	}

	@Test
	void findServerWhenProcessRunsFindsIt() throws IOException {
		assertThat(ServerDirectory.findServer(recordThisProcess())).contains(ProcessHandle.current());
	}

	@Test
	void findServerWhenIdBelongsToLaterProcessFindsNothing() throws IOException {
		Path directory = recordThisProcess();
		rewrite(directory, 1, (started) -> Instant.parse(started).minus(Duration.ofMinutes(1)).toString());
		assertThat(ServerDirectory.findServer(directory)).isEmpty();
	}

	@Test
	void findServerWhenIdBelongsToAnotherProgramFindsNothing() throws IOException {
		Path directory = recordThisProcess();
		rewrite(directory, 2, (command) -> "/usr/bin/redis-server");
		assertThat(ServerDirectory.findServer(directory)).isEmpty();
	}

	@Test
	void findServerWhenNothingWasRecordedIsEmpty() throws IOException {
		assertThat(ServerDirectory.findServer(this.parent)).isEmpty();
	}

	private Path recordThisProcess() throws IOException {
		ServerDirectory directory = ServerDirectory.create(this.parent);
		directory.record(ProcessHandle.current());
		return directory.path();
	}

	private static void rewrite(Path directory, int line, UnaryOperator<String> change) throws IOException {
		List<String> lines = Files.readAllLines(directory.resolve("process"));
		lines.set(line, change.apply(lines.get(line)));
		Files.write(directory.resolve("process"), lines);
	}

}
