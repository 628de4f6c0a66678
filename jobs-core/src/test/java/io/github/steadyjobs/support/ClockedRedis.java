package io.github.steadyjobs.support;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A server that belongs to one test and whose clock can be set. It requires gcc and a
 * redis-server that loads shared libraries. The bundled server cannot load them, so tests
 * with this class are tagged {@code installed-redis}.
 */
public final class ClockedRedis implements AutoCloseable {

	private static final String HOW_TO = "Profile 'installed-redis' needs gcc and, on the PATH, a redis-server that "
			+ "loads shared libraries. Install them (apt-get install gcc libc6-dev redis-server), or leave the profile out";

	private final OwnRedis server;

	private final Path clock;

	private ClockedRedis(OwnRedis server, Path clock) {
		this.server = server;
		this.clock = clock;
	}

	/**
	 * Start a server.
	 * @param directory an empty directory
	 * @return the running server
	 * @throws IllegalStateException if a program is missing; the message says what to do
	 */
	public static ClockedRedis start(Path directory) {
		Path executable = onPath("redis-server");
		if (executable == null || onPath("gcc") == null || !loadsLibraries(executable)) {
			throw new IllegalStateException(HOW_TO);
		}
		try {
			Path clock = Files.write(directory.resolve("clock"), new byte[Long.BYTES]);
			Path library = compile(directory);
			Path wrapper = directory.resolve("redis-server");
			Files.writeString(wrapper, "#!/bin/sh\nCLOCK_FILE='%s' LD_PRELOAD='%s' exec '%s' \"$@\"\n".formatted(clock,
					library, executable));
			Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
			return new ClockedRedis(OwnRedis.startExecutable(wrapper), clock);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static @Nullable Path onPath(String program) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((directory) -> Path.of(directory, program))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return whether an executable can load shared libraries. A statically linked
	 * executable names no loader.
	 */
	private static boolean loadsLibraries(Path executable) {
		try {
			byte[] start = Files.readAllBytes(executable);
			return new String(start, 0, Math.min(start.length, 8192), StandardCharsets.ISO_8859_1).contains("/ld-");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static Path compile(Path directory) throws IOException {
		Path source = directory.resolve("clock.c");
		Path library = directory.resolve("clock.so");
		try (InputStream resource = ClockedRedis.class.getResourceAsStream("clock.c")) {
			Files.copy(resource, source);
			Process gcc = new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
				.redirectErrorStream(true)
				.redirectOutput(Redirect.INHERIT)
				.start();
			if (gcc.waitFor() != 0) {
				throw new IllegalStateException("gcc could not compile " + source);
			}
			return library;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the server whose clock can be set.
	 * @return the running server
	 */
	public OwnRedis server() {
		return this.server;
	}

	/**
	 * Set the clock of the server.
	 * @param ahead how far ahead of the true time, in whole seconds; negative for a time
	 * in the past
	 */
	public void set(Duration ahead) {
		ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, ahead.toMillis());
		try (FileChannel channel = FileChannel.open(this.clock, StandardOpenOption.WRITE)) {
			channel.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.server.close();
	}

}
