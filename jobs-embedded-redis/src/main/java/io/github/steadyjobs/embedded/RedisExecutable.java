package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server program that runs on this machine and is new enough.
 *
 * @param path where it is
 * @param version its name and version, such as "Redis 7.0.15"
 */
record RedisExecutable(Path path, String version) {

	/**
	 * The oldest usable version: LMOVE and BLMOVE came with it.
	 */
	static final String MINIMUM = "6.2";

	// "Redis server v=7.0.15 sha=…", "Valkey server v=8.0.1 sha=…"
	private static final Pattern VERSION = Pattern.compile("\\bserver v=((\\d+)\\.(\\d+)\\S*)",
			Pattern.CASE_INSENSITIVE);

	private static final int SECONDS_TO_ANSWER = 10;

	/**
	 * Run an executable to learn its version.
	 * @param path the executable
	 * @return what was learnt
	 * @throws UnusableRedisExecutableException if it does not run, is none of Redis or
	 * Valkey, or is too old
	 */
	static RedisExecutable inspect(Path path) {
		String output = askForVersion(path);
		Matcher matcher = VERSION.matcher(output);
		if (!matcher.find()) {
			throw new UnusableRedisExecutableException(path.toString(),
					"asked for its version, it answers '%s'".formatted(output), null);
		}
		boolean valkey = (path.getFileName() + output).toLowerCase(Locale.ROOT).contains("valkey");
		String version = (valkey ? "Valkey " : "Redis ") + matcher.group(1);
		int major = Integer.parseInt(matcher.group(2));
		if (major < 6 || (major == 6 && Integer.parseInt(matcher.group(3)) < 2)) {
			throw new UnusableRedisExecutableException(path.toString(),
					"it is %s, older than %s".formatted(version, MINIMUM), null);
		}
		return new RedisExecutable(path, version);
	}

	private static String askForVersion(Path path) {
		try {
			// A file, for reading a pipe waits for whoever else has inherited it.
			Path answer = Files.createTempFile("redis-version-", ".txt");
			try {
				run(path, answer);
				return Files.readString(answer, StandardCharsets.ISO_8859_1).strip();
			}
			finally {
				Files.deleteIfExists(answer);
			}
		}
		catch (IOException ex) {
			throw new UnusableRedisExecutableException(path.toString(), "it does not run: " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EmbeddedRedisException("Interrupted while asking '%s' for its version".formatted(path), ex);
		}
	}

	private static void run(Path path, Path answer) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true)
			.redirectOutput(answer.toFile())
			.start();
		try {
			if (!process.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS)) {
				throw new UnusableRedisExecutableException(path.toString(),
						"asked for its version, it did not answer in %d s".formatted(SECONDS_TO_ANSWER), null);
			}
		}
		finally {
			process.destroyForcibly();
		}
	}

}
