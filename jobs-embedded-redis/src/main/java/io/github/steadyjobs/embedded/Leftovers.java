package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * Removes what JVMs that were killed have left: a server outlives its JVM.
 * <p>
 * Usually the {@link Watchdog} has done so already, save where there is no shell or where
 * it was killed together with the JVM.
 */
final class Leftovers {

	private static final Logger logger = LoggerFactory.getLogger(Leftovers.class);

	private Leftovers() {
	}

	/**
	 * End the servers and delete the directories that have no owner any more. What fails
	 * is left for the next time.
	 * @param parent where the directories are
	 */
	static synchronized void sweep(Path parent) {
		try {
			for (Path directory : directories(parent)) {
				sweepIfAbandoned(directory);
			}
		}
		catch (IOException ex) {
			logger.debug("Could not look for leftovers in '{}'", parent, ex);
		}
	}

	private static List<Path> directories(Path parent) throws IOException {
		try (Stream<Path> children = Files.list(parent)) {
			return children.filter((child) -> ServerDirectory.isServerDirectory(child) && !ServerDirectory.isOwn(child))
				.toList();
		}
	}

	private static void sweepIfAbandoned(Path directory) {
		try (DirectoryLock lock = DirectoryLock.tryAcquire(directory)) {
			if (lock != null) {
				ProcessRecord.read(directory).flatMap(ProcessRecord::find).ifPresent(ProcessHandle::destroyForcibly);
				FileSystemUtils.deleteRecursively(directory);
				logger.debug("Removed the leftover '{}'", directory);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Could not remove the leftover '{}'", directory, ex);
		}
	}

}
