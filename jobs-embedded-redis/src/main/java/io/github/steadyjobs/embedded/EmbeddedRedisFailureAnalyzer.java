package io.github.steadyjobs.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns an {@link EmbeddedRedisException} into something to act on.
 */
class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

	private static final String NO_EXECUTABLE = """
			Give the application a Redis in one of three ways:

			    - In Docker: run 'docker run --rm -p 6379:6379 redis' and set 'spring.data.redis.host=localhost'.
			    - Installed: have redis-server or valkey-server %s or later on the PATH, or set \
			'steadyjobs.embedded.executable' to it. On Windows, start it in WSL and set \
			'spring.data.redis.host=localhost'.
			    - On a server: set 'spring.data.redis.url' to its address.""".formatted(RedisExecutable.MINIMUM);

	private static final String UNUSABLE_EXECUTABLE = """
			Try '%s --version' in a shell, and set 'steadyjobs.embedded.executable' to a redis-server or \
			valkey-server %s or later. Without that property an installed one is used, else the bundled one, \
			which is unpacked to the temporary folder and needs one that programs may run from \
			('-Djava.io.tmpdir=...').""";

	private static final String PORT_IN_USE = """
			Set 'steadyjobs.embedded.port' to another port, or remove it to get a free one. If a Redis that you \
			want to use listens there, set 'spring.data.redis.port=%d' instead.""";

	private static final String OTHER = """
			Correct what the message says, or set 'spring.data.redis.host' or 'spring.data.redis.url' to a Redis \
			that runs already. To start no server, set 'steadyjobs.embedded.enabled=false'.""";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
		String description = "The embedded Redis could not be started. " + cause.getMessage();
		return new FailureAnalysis(description, action(cause), cause);
	}

	private static String action(EmbeddedRedisException cause) {
		if (cause instanceof NoRedisExecutableException) {
			return NO_EXECUTABLE;
		}
		if (cause instanceof UnusableRedisExecutableException unusable) {
			return UNUSABLE_EXECUTABLE.formatted(unusable.getExecutable(), RedisExecutable.MINIMUM);
		}
		if (cause instanceof RedisPortInUseException inUse) {
			return PORT_IN_USE.formatted(inUse.getPort());
		}
		return OTHER;
	}

}
