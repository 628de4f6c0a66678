package io.github.steadyjobs.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server program that runs on this machine and is new enough.
 *
 * @param path the path of the program
 * @param version its name and version, such as "Redis 7.0.15"
 */
record RedisExecutable(Path path, String version) {

	/**
	 * The oldest usable version, which introduced LMOVE and BLMOVE.
	 */
	static final String MINIMUM = "6.2";

	private static final Logger logger = LoggerFactory.getLogger(RedisExecutable.class);

	private static final List<String> COMMANDS = List.of("redis-server", "valkey-server");

	// Matches "Redis server v=7.0.15 sha=…" and "Valkey server v=8.0.1 sha=…".
	private static final Pattern VERSION = Pattern.compile("\\bserver v=((\\d+)\\.(\\d+)\\S*)",
			Pattern.CASE_INSENSITIVE);

	private static final int SECONDS_TO_ANSWER = 10;

	/**
	 * Find the executable to start: the configured program; if no program is configured,
	 * an installed program; and if no program is installed, the bundled program.
	 * @param configured the path of the only executable to use, or a name to look up;
	 * there is no fallback, because a fallback would hide a typing error
	 * @param searchPath the folders to search, separated as in the PATH variable
	 * @param bundled unpacks the bundled executable, if there is one for this machine
	 * @return the executable
	 * @throws EmbeddedRedisException if no executable was found, or the configured
	 * executable is unusable
	 */
	static RedisExecutable find(@Nullable String configured, String searchPath, Supplier<@Nullable Path> bundled) {
		if (configured != null && configured.contains("/")) {
			return inspect(Path.of(configured).toAbsolutePath());
		}
		if (configured != null) {
			return search(searchPath, configured).findFirst()
				.map(RedisExecutable::inspect)
				.orElseThrow(() -> unusable(configured, "it is not on the PATH", null));
		}
		// Try all programs with these names, because the first program found may be too
		// old.
		for (Path installed : COMMANDS.stream().flatMap((name) -> search(searchPath, name)).toList()) {
			try {
				return inspect(installed);
			}
			catch (EmbeddedRedisException ex) {
				logger.debug("Skipped an installed server", ex);
			}
		}
		Path unpacked = bundled.get();
		if (unpacked == null) {
			throw none(BundledRedis.platform());
		}
		return inspect(unpacked);
	}

	static EmbeddedRedisException none(String platform) {
		return new EmbeddedRedisException(Reason.NO_EXECUTABLE, platform,
				"There is no redis-server or valkey-server of version %s or later on the PATH, and no bundled one for %s"
					.formatted(MINIMUM, platform),
				null);
	}

	private static Stream<Path> search(String searchPath, String name) {
		return Stream.of(searchPath.split(File.pathSeparator))
			.filter((folder) -> !folder.isBlank())
			.map((folder) -> Path.of(folder, name).toAbsolutePath())
			.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file));
	}

	/**
	 * Run an executable to find out its version.
	 * @param path the executable
	 * @return the executable with its version
	 * @throws EmbeddedRedisException if the executable does not run, is neither Redis nor
	 * Valkey, or is too old
	 */
	static RedisExecutable inspect(Path path) {
		String output = askForVersion(path);
		Matcher matcher = VERSION.matcher(output);
		if (!matcher.find()) {
			throw unusable(path, "asked for its version, it answers '%s'".formatted(output), null);
		}
		boolean valkey = (path.getFileName() + output).toLowerCase(Locale.ROOT).contains("valkey");
		String version = (valkey ? "Valkey " : "Redis ") + matcher.group(1);
		int major = Integer.parseInt(matcher.group(2));
		if (major < 6 || (major == 6 && Integer.parseInt(matcher.group(3)) < 2)) {
			throw unusable(path, "it is %s, older than %s".formatted(version, MINIMUM), null);
		}
		return new RedisExecutable(path, version);
	}

	private static String askForVersion(Path path) {
		try {
			Process process = new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true).start();
			try {
				if (!process.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS)) {
					throw unusable(path,
							"asked for its version, it did not answer in %d s".formatted(SECONDS_TO_ANSWER), null);
				}
				return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1).strip();
			}
			finally {
				process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			throw unusable(path, "it does not run: " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EmbeddedRedisException("Interrupted while asking '%s' for its version".formatted(path), ex);
		}
	}

	private static EmbeddedRedisException unusable(Object executable, String problem, @Nullable Throwable cause) {
		return new EmbeddedRedisException(Reason.UNUSABLE_EXECUTABLE, executable.toString(),
				"'%s' cannot be used as an embedded Redis: %s".formatted(executable, problem), cause);
	}

}
