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
 * The amount of data that a server had written to disk at a given moment. The server
 * appends each change to a file, so its data at that moment is the beginning of the file.
 * The file must not be rewritten after that moment.
 *
 * @param file the append-only file
 * @param size the size of the file at that moment
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
	 * Make a server lose the data that it writes from now on.
	 * @param millis milliseconds until the server is killed
	 * @param kill kills the server
	 * @param restart starts the server again
	 */
	static Loss lose(EmbeddedRedisServer server, long millis, Runnable kill, Runnable restart) {
		// The time is read before the size, because changes that are confirmed from then
		// on may be lost.
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
	 * Remove from the file everything that was appended since the size was read. The
	 * server must not be running. Redis ignores the last command if it is truncated.
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
	 * A period whose data was lost. Times are milliseconds since the epoch.
	 *
	 * @param from the time from which confirmed data was lost
	 * @param killed the time until which the server answered
	 * @param back the time at which the server was back
	 */
	record Loss(long from, long killed, long back) {

	}

}
