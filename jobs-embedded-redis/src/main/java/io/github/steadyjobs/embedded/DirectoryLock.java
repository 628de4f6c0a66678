package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.jspecify.annotations.Nullable;

/**
 * The lock of a {@link ServerDirectory}, held as long as the directory is in use.
 * <p>
 * The system takes it away when the JVM ends, however it ends, so whoever gets it knows
 * that the directory is a leftover. That is surer than the process id and the start time
 * of the owner: ids are used again, and start times move when the clock is set.
 */
final class DirectoryLock implements AutoCloseable {

	private static final String FILE = "lock";

	private final FileChannel channel;

	private DirectoryLock(FileChannel channel) {
		this.channel = channel;
	}

	/**
	 * Take the lock unless somebody has it.
	 * @param directory the directory to lock, none of this JVM: closing the file, as is
	 * done when the lock is not free, would give away the lock it holds
	 * @return the lock, or {@code null} if it is taken or the directory is gone
	 */
	static @Nullable DirectoryLock tryAcquire(Path directory) throws IOException {
		Path file = directory.resolve(FILE);
		FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		try {
			FileLock lock = channel.tryLock();
			// Whoever had it before us may have removed the directory.
			if (lock != null && Files.exists(file)) {
				return new DirectoryLock(channel);
			}
		}
		catch (OverlappingFileLockException ex) {
			// Another class loader of this JVM is at it.
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
		channel.close();
		return null;
	}

	@Override
	public void close() throws IOException {
		this.channel.close();
	}

}
