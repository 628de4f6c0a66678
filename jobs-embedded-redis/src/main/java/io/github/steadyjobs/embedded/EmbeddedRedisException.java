package io.github.steadyjobs.embedded;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an embedded Redis could not be started. No server is left running then.
 *
 * @since 1.0.0
 */
public class EmbeddedRedisException extends RuntimeException {

	EmbeddedRedisException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
