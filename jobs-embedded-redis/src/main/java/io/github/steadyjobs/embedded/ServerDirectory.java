package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * The directory of one server, which ends with its owner.
 */
final class ServerDirectory {

	private static final Logger logger = LoggerFactory.getLogger(ServerDirectory.class);

	private static final String PREFIX = "server-";

	private static final int ATTEMPTS = 5;

	private static final int LAST_LINES = 10;

	private final Path path;

	private final DirectoryLock lock;

	private ServerDirectory(Path path, DirectoryLock lock) {
		this.path = path;
		this.lock = lock;
	}

	static ServerDirectory create(Path parent) {
		try {
			for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
				Path path = Files.createTempDirectory(parent, ownPrefix());
				DirectoryLock lock = tryLock(path);
				if (lock != null) {
					return new ServerDirectory(path, lock);
				}
			}
			throw new IOException("Each new directory was taken for a leftover");
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not create a directory below '%s'".formatted(parent), ex);
		}
	}

	private static @Nullable DirectoryLock tryLock(Path path) throws IOException {
		try {
			return DirectoryLock.tryAcquire(path);
		}
		catch (NoSuchFileException ex) {
			// Swept by another JVM, which came between the directory and its lock.
			return null;
		}
	}

	static boolean isServerDirectory(Path path) {
		return path.getFileName().toString().startsWith(PREFIX);
	}

	static boolean isOwn(Path path) {
		return path.getFileName().toString().startsWith(ownPrefix());
	}

	// The start time tells apart two JVMs of the same process id, which in containers
	// is the usual case.
	private static String ownPrefix() {
		ProcessHandle self = ProcessHandle.current();
		long started = self.info().startInstant().map((instant) -> instant.toEpochMilli()).orElse(0L);
		return PREFIX + self.pid() + "-" + started + "-";
	}

	Path path() {
		return this.path;
	}

	Path log() {
		return this.path.resolve("server.log");
	}

	void record(ProcessHandle server) throws IOException {
		ProcessRecord.write(server, this.path);
	}

	String lastLogLines() {
		try {
			List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
			return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
		}
		catch (IOException ex) {
			return "(its log cannot be read: " + ex + ")";
		}
	}

	void delete() {
		// The lock goes last, and goes in any case: what could not be deleted is a
		// leftover.
		try (this.lock) {
			FileSystemUtils.deleteRecursively(this.path);
		}
		catch (IOException ex) {
			logger.debug("Could not remove '{}'", this.path, ex);
		}
	}

}
