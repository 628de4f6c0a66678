package io.github.steadyjobs.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns an {@link EmbeddedRedisException} into a description and an action.
 */
class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
		return new FailureAnalysis("The embedded Redis could not be started. " + cause.getMessage(), action(cause),
				cause);
	}

	private static String action(EmbeddedRedisException cause) {
		return switch (cause.reason()) {
			case NO_EXECUTABLE ->
				"""
						Give the application a Redis in one of three ways:

						    - In Docker: run 'docker run --rm -p 6379:6379 redis' and set 'spring.data.redis.host=localhost'.
						    - Installed: have redis-server or valkey-server %s or later on the PATH, or set \
						'steadyjobs.embedded.executable' to it. On Windows, start it in WSL and set \
						'spring.data.redis.host=localhost'.
						    - On a server: set 'spring.data.redis.url' to its address."""
					.formatted(RedisExecutable.MINIMUM);
			case UNUSABLE_EXECUTABLE -> """
					Try '%s --version' in a shell, and set 'steadyjobs.embedded.executable' to a redis-server or \
					valkey-server %s or later. Without that property an installed one is used, otherwise the bundled \
					one. That is unpacked to the temporary folder, which must allow programs to run \
					('-Djava.io.tmpdir=...').""".formatted(cause.subject(), RedisExecutable.MINIMUM);
			case PORT_IN_USE -> """
					Set 'steadyjobs.embedded.port' to another port, or remove it to get a free one. If a Redis that \
					you want to use listens there, set 'spring.data.redis.port=%s' instead."""
				.formatted(cause.subject());
			case OTHER -> """
					Correct what the message says, or set 'spring.data.redis.host' or 'spring.data.redis.url' to a \
					Redis that already runs. To start no server, set 'steadyjobs.embedded.enabled=false'.""";
		};
	}

}
