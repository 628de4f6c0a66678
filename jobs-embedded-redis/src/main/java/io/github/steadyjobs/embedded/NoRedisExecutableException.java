package io.github.steadyjobs.embedded;

/**
 * Thrown when none was configured and neither the PATH nor the class path has an
 * executable for this machine.
 */
final class NoRedisExecutableException extends EmbeddedRedisException {

	NoRedisExecutableException(String platform) {
		super("There is no redis-server or valkey-server of version %s or later on the PATH, and no bundled one for %s"
			.formatted(RedisExecutable.MINIMUM, platform), null);
	}

}
