package io.github.steadyjobs;

import java.time.Instant;

import io.github.steadyjobs.EnqueueResult.Buffered;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.EnqueueResult.Stopped;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.Durability.REPLICATED;
import static io.github.steadyjobs.Durability.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EnqueueResult}.
 */
class EnqueueResultTests {

	@Test
	void durabilityTellsWhatTheJobReached() {
		assertThat(new Enqueued("1").durability()).isEqualTo(STORED);
		assertThat(new Enqueued("1", REPLICATED).durability()).isEqualTo(REPLICATED);
		assertThat(new Scheduled("1", Instant.EPOCH).durability()).isEqualTo(STORED);
		assertThat(new Scheduled("1", Instant.EPOCH, REPLICATED).durability()).isEqualTo(REPLICATED);
		assertThat(new Deferred("1").durability()).isNull();
		assertThat(new Stopped("1").durability()).isNull();
	}

	@Test
	void orElseThrowWhenAsDurableAsWantedReturnsResult() {
		EnqueueResult replicated = new Enqueued("1", REPLICATED);
		assertThat(replicated.orElseThrow(REPLICATED)).isSameAs(replicated);
		assertThat(replicated.orElseThrow(STORED)).isSameAs(replicated);
		assertThat(replicated.orElseThrow()).isSameAs(replicated);
	}

	@Test
	void orElseThrowWhenLessDurableSaysThatItRunsAllTheSame() {
		EnqueueResult stored = new Enqueued("1");
		assertThatExceptionOfType(JobNotDurableException.class).isThrownBy(() -> stored.orElseThrow(REPLICATED))
			.withMessage("Job 1 should be REPLICATED but is STORED. It will run all the same, "
					+ "unless the primary is lost before a replica has it.")
			.satisfies((ex) -> assertThat(ex.result()).isSameAs(stored));
	}

	@Test
	void orElseThrowWhenDeferredSaysHowToBeTold() {
		assertThatExceptionOfType(JobNotDurableException.class)
			.isThrownBy(() -> new Deferred("1").orElseThrow(REPLICATED))
			.withMessageContaining("is not stored before the transaction commits")
			.withMessageContaining("JobRequest.beforeCommit()");
	}

	@Test
	void orElseThrowWhenBufferedSaysThatItWaitsInMemory() {
		assertThatExceptionOfType(JobNotDurableException.class)
			.isThrownBy(() -> new Buffered("1").orElseThrow(REPLICATED))
			.withMessage("Job 1 should be REPLICATED but waits in memory until Redis is available. "
					+ "It will be stored then, unless this process dies.");
	}

	@Test
	void orElseThrowWhenStoppedSaysThatItWasNotAccepted() {
		assertThatExceptionOfType(JobNotAcceptedException.class)
			.isThrownBy(() -> new Stopped("1").orElseThrow(REPLICATED));
	}

}
