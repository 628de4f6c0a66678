package io.github.steadyjobs.embedded;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an executable is not there, does not run, or is too old.
 */
final class UnusableRedisExecutableException extends EmbeddedRedisException {

	private final String executable;

	UnusableRedisExecutableException(String executable, String reason, @Nullable Throwable cause) {
		super("'%s' cannot be used as an embedded Redis: %s".formatted(executable, reason), cause);
		this.executable = executable;
	}

	String getExecutable() {
		return this.executable;
	}

}
