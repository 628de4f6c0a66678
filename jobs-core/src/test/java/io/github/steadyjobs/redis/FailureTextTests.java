package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;

import io.github.steadyjobs.support.HostileException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the text that {@link FailureText} stores for unusual exceptions (SK-51).
 */
class FailureTextTests {

	@Test
	void messageWhenThereIsNoneIsEmpty() {
		assertThat(FailureText.message(new RuntimeException())).isEmpty();
	}

	@Test
	void messageWhenHugeIsCutAt8192Characters() {
		String message = FailureText.message(new RuntimeException("x".repeat(10_000_000)));
		assertThat(message).isEqualTo("x".repeat(8192) + "…");
		assertThat(FailureText.message(new RuntimeException("y".repeat(8192)))).isEqualTo("y".repeat(8192));
	}

	@Test
	void messageWhenCutWithinACharacterReplacesIt() {
		String message = FailureText.message(new RuntimeException("x".repeat(8191) + "😀"));
		assertThat(message).isEqualTo("x".repeat(8191) + "\uFFFD…");
	}

	@Test
	void messageWhenSurrogatesAreAloneReplacesThem() {
		String message = FailureText.message(new RuntimeException("a\uD800b\uDC00\uD83D😀"));
		assertThat(message).isEqualTo("a\uFFFDb\uFFFD\uFFFD😀");
		assertThat(new String(message.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).isEqualTo(message);
	}

	@Test
	void messageWhenAskingThrowsSaysSo() {
		assertThat(FailureText.message(new HostileException()))
			.isEqualTo("(its message could not be read: java.lang.StackOverflowError)");
	}

	@Test
	void backtraceWhenAskingThrowsSaysSo() {
		assertThat(FailureText.backtrace(new HostileException(), 3))
			.containsExactly("(its stack trace could not be read: java.lang.IllegalStateException)");
	}

	@Test
	void backtraceWhenThereIsNoneIsEmpty() {
		RuntimeException failure = new RuntimeException();
		failure.setStackTrace(new StackTraceElement[0]);
		assertThat(FailureText.backtrace(failure, 3)).isEmpty();
	}

}
