package io.github.steadyjobs.support;

import org.jspecify.annotations.Nullable;

/**
 * An exception that throws from each method that it overrides.
 */
public final class HostileException extends RuntimeException {

	@Override
	public @Nullable String getMessage() {
		throw new StackOverflowError();
	}

	@Override
	public StackTraceElement[] getStackTrace() {
		throw new IllegalStateException();
	}

	@Override
	public synchronized @Nullable Throwable getCause() {
		throw new IllegalStateException();
	}

	@Override
	public String toString() {
		throw new IllegalStateException();
	}

}
