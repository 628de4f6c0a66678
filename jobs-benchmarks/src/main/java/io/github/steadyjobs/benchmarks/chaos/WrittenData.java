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
 * How much a server had written to disk at some moment. It appends each change to a file,
 * so its data at that moment is the beginning of the file. The file must not be rewritten
 * meanwhile.
 *
 * @param file the file that it appends to
 * @param size the size of the file
 */
record WrittenData(Path file, long size) {

	static WrittenData of(EmbeddedRedisServer server) {
		Path file = latest(server.directory().resolve("appendonlydir"));
		return new WrittenData(file, file.toFile().length());
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
	 * Let a server lose what it writes from now on.
	 * @param millis how long until it is killed
	 * @param kill kills it
	 * @param restart starts it again
	 */
	static Loss lose(EmbeddedRedisServer server, long millis, Runnable kill, Runnable restart) {
		// Before the size is read: what is confirmed from here on may be lost.
		long from = System.currentTimeMillis();
		WrittenData data = of(server);
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		long killed = System.currentTimeMillis();
		kill.run();
		data.forgetLater();
		restart.run();
		return new Loss(from, killed, System.currentTimeMillis());
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

	/**
	 * What was lost. Times are milliseconds since the epoch.
	 *
	 * @param from the time from which on confirmed data is lost
	 * @param killed until when it answered
	 * @param back when it was back
	 */
	record Loss(long from, long killed, long back) {

	}

}
