package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The server programs in {@code org.signal:embedded-redis}, one for each operating system
 * and processor architecture.
 */
final class BundledRedis {

	private static final String PREFIX = "redis-server-7.0.15-";

	private BundledRedis() {
	}

	/**
	 * Return the name of this platform as it is used in the names of the resources.
	 * @return the operating system and the processor architecture, such as "linux-amd64"
	 */
	static String platform() {
		return platform(System.getProperty("os.name"), System.getProperty("os.arch"));
	}

	static String platform(String system, String processor) {
		String os = system.toLowerCase(Locale.ROOT).replace(" ", "").replace("macosx", "darwin");
		String arch = switch (processor.toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64" -> "amd64";
			case "aarch64", "arm64" -> "arm64";
			case "x86", "i386", "i686" -> "386";
			default -> processor;
		};
		return os + "-" + arch;
	}

	static @Nullable URL resource(String platform) {
		return BundledRedis.class.getResource("/" + PREFIX + platform);
	}

	/**
	 * Unpack the program for this machine, unless an earlier run has already done so.
	 * @param folder the folder for the program, which must not be accessible to other
	 * users
	 * @return the executable; {@code null} if there is no program for this machine
	 */
	static @Nullable Path unpack(Path folder) {
		URL resource = resource(platform());
		if (resource == null) {
			return null;
		}
		Path executable = folder.resolve(PREFIX + platform());
		try {
			if (!Files.isExecutable(executable)
					|| Files.size(executable) != resource.openConnection().getContentLengthLong()) {
				write(resource, executable);
			}
			return executable;
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not unpack '%s'".formatted(executable), ex);
		}
	}

	private static void write(URL resource, Path executable) throws IOException {
		// Write the program under another name first, because no JVM must ever run an
		// incomplete program.
		Path part = Files.createTempFile(executable.getParent(), "unpack-", ".part");
		try (InputStream in = resource.openStream()) {
			Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
			Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
			Files.move(part, executable, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(part);
		}
	}

}
