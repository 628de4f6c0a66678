package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link JobRetry} stores of exceptions that make it hard (SK-51).
 */
class FailureTextTests {

	@Test
	void messageWhenThereIsNoneIsEmpty() {
		assertThat(JobRetry.message(new RuntimeException())).isEmpty();
	}

	@Test
	void messageWhenHugeIsCutAt8192Characters() {
		String message = JobRetry.message(new RuntimeException("x".repeat(10_000_000)));
		assertThat(message).isEqualTo("x".repeat(8192) + "…");
		assertThat(JobRetry.message(new RuntimeException("y".repeat(8192)))).isEqualTo("y".repeat(8192));
	}

	@Test
	void messageWhenCutWithinACharacterReplacesIt() {
		String message = JobRetry.message(new RuntimeException("x".repeat(8191) + "😀"));
		assertThat(message).isEqualTo("x".repeat(8191) + "\uFFFD…");
	}

	@Test
	void messageWhenSurrogatesAreAloneReplacesThem() {
		String message = JobRetry.message(new RuntimeException("a\uD800b\uDC00\uD83D😀"));
		assertThat(message).isEqualTo("a\uFFFDb\uFFFD\uFFFD😀");
		assertThat(new String(message.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).isEqualTo(message);
	}

	@Test
	void messageWhenAskingThrowsSaysSo() {
		assertThat(JobRetry.message(new Hostile()))
			.isEqualTo("(its message could not be read: java.lang.StackOverflowError)");
	}

	@Test
	void backtraceWhenAskingThrowsSaysSo() {
		assertThat(JobRetry.backtrace(new Hostile(), 3))
			.containsExactly("(its stack trace could not be read: java.lang.IllegalStateException)");
	}

	@Test
	void backtraceWhenThereIsNoneIsEmpty() {
		RuntimeException failure = new RuntimeException();
		failure.setStackTrace(new StackTraceElement[0]);
		assertThat(JobRetry.backtrace(failure, 3)).isEmpty();
	}

	/**
	 * Throws whatever it is asked.
	 */
	static final class Hostile extends RuntimeException {

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

}
