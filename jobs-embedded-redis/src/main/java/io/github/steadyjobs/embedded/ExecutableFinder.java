package io.github.steadyjobs.embedded;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the server program: the configured one, else one that is installed, else the
 * bundled one.
 */
final class ExecutableFinder {

	private static final Logger logger = LoggerFactory.getLogger(ExecutableFinder.class);

	private static final List<String> COMMANDS = List.of("redis-server", "valkey-server");

	private final SearchPath searchPath;

	private final Supplier<@Nullable Path> bundled;

	ExecutableFinder(SearchPath searchPath, Supplier<@Nullable Path> bundled) {
		this.searchPath = searchPath;
		this.bundled = bundled;
	}

	/**
	 * Find the executable to start.
	 * @param configured the one to use and no other: a path, or a name to look up
	 * @return the executable
	 * @throws UnusableRedisExecutableException if the configured one cannot be used.
	 * There is no falling back then, or a typing error would go unnoticed.
	 * @throws NoRedisExecutableException if there is none
	 */
	RedisExecutable find(@Nullable String configured) {
		if (configured != null) {
			return RedisExecutable.inspect(resolve(configured));
		}
		RedisExecutable installed = findInstalled();
		if (installed != null) {
			return installed;
		}
		Path unpacked = this.bundled.get();
		if (unpacked == null) {
			throw new NoRedisExecutableException(BundledRedis.platform());
		}
		return RedisExecutable.inspect(unpacked);
	}

	private Path resolve(String configured) {
		if (configured.contains("/") || configured.contains(File.separator)) {
			return Path.of(configured).toAbsolutePath();
		}
		Path found = this.searchPath.find(configured);
		if (found == null) {
			throw new UnusableRedisExecutableException(configured, "it is not on the PATH", null);
		}
		return found;
	}

	private @Nullable RedisExecutable findInstalled() {
		for (Path candidate : COMMANDS.stream().flatMap(this.searchPath::findAll).toList()) {
			try {
				return RedisExecutable.inspect(candidate);
			}
			catch (UnusableRedisExecutableException ex) {
				logger.debug("Passed over an installed server", ex);
			}
		}
		return null;
	}

}
