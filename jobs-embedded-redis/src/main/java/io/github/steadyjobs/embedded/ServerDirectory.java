package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * The directory of one server, inside a folder that other users cannot access.
 * <p>
 * The directory is locked as long as it is in use. The system releases the lock when the
 * JVM ends for any reason, so if another JVM gets the lock, the directory must be a
 * leftover. A lock is safer than the process id and the start time of the owner, because
 * ids are reused, and start times change when the clock is set.
 */
final class ServerDirectory {

	private static final Logger logger = LoggerFactory.getLogger(ServerDirectory.class);

	private static final String PREFIX = "server-";

	private static final String PROCESS = "process";

	private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

	// Start times are relative to the boot time of the machine, which each JVM computes
	// itself and with a precision of one second.
	private static final Duration TOLERANCE = Duration.ofSeconds(2);

	private static final int LAST_LINES = 10;

	private final Path path;

	private final FileChannel lock;

	private ServerDirectory(Path path, FileChannel lock) {
		this.path = path;
		this.lock = lock;
	}

	/**
	 * Return the folder inside the temporary folder in which this module keeps all its
	 * files. The folder is the same for all runs of a user.
	 * @return the folder
	 */
	static Path folder() {
		String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9_.-]", "_");
		return folder(Path.of(System.getProperty("java.io.tmpdir"), "steadyjobs-embedded-" + user).toAbsolutePath());
	}

	static Path folder(Path folder) {
		if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			String platform = BundledRedis.platform();
			throw new EmbeddedRedisException(Reason.NO_EXECUTABLE, platform,
					"There is no embedded Redis for %s, where its folder cannot be closed to other users"
						.formatted(platform),
					null);
		}
		try {
			Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
			if (!isOurs(folder)) {
				throw new EmbeddedRedisException(
						"'%s' belongs to another user or is open to others, and programs are run from it. Remove it"
							.formatted(folder),
						null);
			}
			return folder;
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not use the folder '%s'".formatted(folder), ex);
		}
	}

	private static boolean isOurs(Path folder) throws IOException {
		if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		// The user name proves nothing if users have no names, as in some containers. So
		// compare the owner of a new file instead.
		Path probe = Files.createTempFile(folder, "probe-", null);
		try {
			return Files.getOwner(folder).equals(Files.getOwner(probe))
					&& Files.getPosixFilePermissions(folder).equals(OWNER_ONLY);
		}
		finally {
			Files.delete(probe);
		}
	}

	/**
	 * Stop the servers and delete the directories that killed JVMs have left behind. If
	 * this fails, the next sweep tries again.
	 * @param folder the folder that contains the directories
	 */
	static synchronized void sweep(Path folder) {
		try (Stream<Path> children = Files.list(folder)) {
			children.filter((child) -> child.getFileName().toString().startsWith(PREFIX) && !isOwn(child))
				.forEach(ServerDirectory::sweepIfAbandoned);
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Could not look for leftovers in '{}'", folder, ex);
		}
	}

	private static void sweepIfAbandoned(Path directory) {
		try (FileChannel lock = tryLock(directory)) {
			if (lock != null) {
				findServer(directory).ifPresent(ProcessHandle::destroyForcibly);
				FileSystemUtils.deleteRecursively(directory);
				logger.debug("Removed the leftover '{}'", directory);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Could not remove the leftover '{}'", directory, ex);
		}
	}

	/**
	 * Find the server of a directory.
	 * @param directory the directory
	 * @return the process, if its id, start time and executable are all as recorded;
	 * otherwise empty, because the server has ended and its id may belong to another
	 * process
	 */
	static Optional<ProcessHandle> findServer(Path directory) throws IOException {
		Path file = directory.resolve(PROCESS);
		List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
		if (lines.size() != 3) {
			return Optional.empty();
		}
		Instant started = Instant.parse(lines.get(1));
		return ProcessHandle.of(Long.parseLong(lines.get(0))).filter((process) -> {
			ProcessHandle.Info info = process.info();
			return info.command().filter(lines.get(2)::equals).isPresent() && info.startInstant()
				.filter((start) -> Duration.between(started, start).abs().compareTo(TOLERANCE) <= 0)
				.isPresent();
		});
	}

	static ServerDirectory create(Path folder) {
		try {
			while (true) {
				Path path = Files.createTempDirectory(folder, ownPrefix());
				FileChannel lock = tryLock(path);
				if (lock != null) {
					return new ServerDirectory(path, lock);
				}
				// The directory was removed by another JVM before this JVM could lock it.
			}
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not create a directory below '%s'".formatted(folder), ex);
		}
	}

	/**
	 * Lock a directory, unless it is already locked or no longer exists.
	 * @param directory a new directory, or the directory of another JVM; not a directory
	 * that this JVM has locked, because closing the file would release that lock
	 */
	private static @Nullable FileChannel tryLock(Path directory) throws IOException {
		Path file = directory.resolve("lock");
		boolean locked = false;
		FileChannel channel;
		try {
			channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		try {
			// The previous owner of the lock may have removed the directory meanwhile.
			locked = channel.tryLock() != null && Files.exists(file);
			return locked ? channel : null;
		}
		finally {
			if (!locked) {
				channel.close();
			}
		}
	}

	static boolean isOwn(Path path) {
		return path.getFileName().toString().startsWith(ownPrefix());
	}

	// Return a prefix that contains the start time, which distinguishes two JVMs with the
	// same process id. Equal ids are common in containers.
	private static String ownPrefix() {
		ProcessHandle self = ProcessHandle.current();
		return PREFIX + self.pid() + "-" + self.info().startInstant().map(Instant::toEpochMilli).orElse(0L) + "-";
	}

	Path path() {
		return this.path;
	}

	Path log() {
		return this.path.resolve("server.log");
	}

	/**
	 * Record the process of the server, so that a later JVM ends this process and no
	 * other process.
	 */
	void record(ProcessHandle server) throws IOException {
		ProcessHandle.Info info = server.info();
		Files.write(this.path.resolve(PROCESS), List.of(Long.toString(server.pid()),
				info.startInstant().orElse(Instant.EPOCH).toString(), info.command().orElse("")));
	}

	String lastLogLines() throws IOException {
		List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
		return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
	}

	void delete() {
		// The lock is released last and in any case, so that a sweep can delete files
		// that could not be deleted here.
		try (this.lock) {
			FileSystemUtils.deleteRecursively(this.path);
		}
		catch (IOException ex) {
			logger.debug("Could not remove '{}'", this.path, ex);
		}
	}

}
