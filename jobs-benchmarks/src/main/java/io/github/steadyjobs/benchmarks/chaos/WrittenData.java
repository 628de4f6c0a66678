package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;

/**
 * How much a server had written down at some moment. It appends each change to a file, so
 * its data of that moment are the beginning of the file. The file must not be rewritten
 * meanwhile.
 *
 * @param directory where the server has its files
 * @param file the file that it appends to
 * @param size the size of the file
 */
record WrittenData(Path directory, Path file, long size) {

	static WrittenData of(EmbeddedRedisServer server) {
		Path directory = server.directory().resolve("appendonlydir");
		Path file = latest(directory);
		return new WrittenData(directory, file, file.toFile().length());
	}

	private static Path latest(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(".incr.aof"))
				.max(Comparator.comparingLong((file) -> file.toFile().lastModified()))
				.orElseThrow(
						() -> new IllegalStateException("A server appends to no file in '%s'".formatted(directory)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return whether the server still appends to the same file. A replica that starts
	 * anew takes another one.
	 */
	boolean isCurrent() {
		return this.file.equals(latest(this.directory));
	}

	/**
	 * Remove from the file what was appended since. The server must not run. The last
	 * command may be cut in two: Redis leaves it out.
	 */
	void forgetLater() {
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.WRITE)) {
			channel.truncate(this.size);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
