package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Sent}.
 */
class SentTests {

	private static final CommandBytes PING = new CommandBytes(CommandType.PING);

	private final List<Throwable> failures = new ArrayList<>();

	private final Sent sent = Sent.of(PING, Duration.ofSeconds(1), (reply, error) -> this.failures.add(error));

	@Test
	void encodeNotesThatTheServerMayHaveIt() {
		assertThat(this.sent.isWritten()).isFalse();
		this.sent.encode(Unpooled.buffer());
		assertThat(this.sent.isWritten()).isTrue();
	}

	@Test
	void completeExceptionallyWhenRepeatedIsTheAnswerOnce() {
		IllegalStateException first = new IllegalStateException("first");
		assertThat(this.sent.completeExceptionally(first)).isTrue();
		assertThat(this.sent.completeExceptionally(new IllegalStateException("second"))).isFalse();
		this.sent.cancel();
		assertThat(this.failures).containsExactly(first);
		assertThat(this.sent.isDone()).isTrue();
	}

	@Test
	void cancelIsAnAnswer() {
		this.sent.cancel();
		assertThat(this.failures).hasOnlyElementsOfType(CancellationException.class).hasSize(1);
		assertThat(this.sent.isCancelled()).isTrue();
	}

	@Test
	void answeredEndsTheWatchOverItsTime() {
		List<String> ended = new ArrayList<>();
		this.sent.onComplete((reply, error) -> ended.add("ended"));
		this.sent.completeExceptionally(new IllegalStateException());
		assertThat(ended).containsExactly("ended");
	}

	/**
	 * Lettuce cancels all commands of a broken connection in a loop. An exception would
	 * end this loop.
	 */
	@Test
	void cancelWhenAnswerCannotBeHandledThrowsNothing() {
		Sent failing = Sent.of(PING, Duration.ofSeconds(1), (reply, error) -> {
			throw new IllegalStateException("of a test");
		});
		failing.cancel();
		assertThat(failing.isDone()).isTrue();
	}

}
