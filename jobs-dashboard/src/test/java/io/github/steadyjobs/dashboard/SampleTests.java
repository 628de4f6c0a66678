package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Sample}.
 */
class SampleTests {

	private final AtomicInteger taken = new AtomicInteger();

	private final Outage outage = new Outage();

	private JobStoreException failure;

	@Test
	void readWhenNewEnoughAsksNobody() {
		Sample<Integer> sample = sample(Duration.ofHours(1));
		assertThat(sample.read().value()).isEqualTo(1);
		assertThat(sample.read().value()).isEqualTo(1);
	}

	@Test
	void readWhenTooOldAsksAgain() {
		Sample<Integer> sample = sample(Duration.ZERO);
		assertThat(sample.read().value()).isEqualTo(1);
		assertThat(sample.read().value()).isEqualTo(2);
	}

	@Test
	void readWhenExpiredAsksAgainOnce() {
		Sample<Integer> sample = sample(Duration.ofHours(1));
		sample.read();
		sample.expire();
		assertThat(sample.read().value()).isEqualTo(2);
		assertThat(sample.read().value()).isEqualTo(2);
	}

	@Test
	void readWhenRedisIsAwayGivesTheLastOneAndSaysSo() {
		Sample<Integer> sample = sample(Duration.ZERO);
		Reading<Integer> last = sample.read();
		this.failure = failure(Reason.UNANSWERED);
		Reading<Integer> reading = sample.read();
		assertThat(reading).isEqualTo(last.failed(this.failure));
		this.failure = null;
		assertThat(sample.readAt()).isEqualTo(last.at());
	}

	@Test
	void readWhenRedisWasAlwaysAwayFails() {
		this.failure = failure(Reason.UNREACHABLE);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(sample(Duration.ZERO)::read)
			.isSameAs(this.failure);
	}

	@ParameterizedTest
	@EnumSource(names = { "UNREACHABLE", "UNANSWERED", "NOT_READY" })
	void readWhenAnotherSampleWasNotAnsweredDoesNotWaitToo(Reason reason) {
		Sample<Integer> other = sample(Duration.ZERO);
		other.read();
		this.failure = failure(reason);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(sample(Duration.ZERO)::read);
		this.failure = null;
		assertThat(other.read().failure()).isNotNull();
		assertThat(this.taken).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "UNREACHABLE", "UNANSWERED", "NOT_READY" })
	void readWhenAnotherSampleWasRefusedAsksNevertheless(Reason reason) {
		Sample<Integer> other = sample(Duration.ZERO);
		this.failure = failure(reason);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(sample(Duration.ZERO)::read);
		this.failure = null;
		assertThat(other.read().failure()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "REFUSED", "DAMAGED" })
	void readIfPossibleWhenRedisRefusesGivesNothing(Reason reason) {
		this.failure = failure(reason);
		assertThat(sample(Duration.ZERO).readIfPossible()).isNull();
	}

	@Test
	void readIfPossibleWhenRedisIsAwayFails() {
		this.failure = failure(Reason.UNREACHABLE);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(sample(Duration.ZERO)::readIfPossible);
	}

	private Sample<Integer> sample(Duration kept) {
		return new Sample<>(kept, () -> {
			if (this.failure != null) {
				throw this.failure;
			}
			return this.taken.incrementAndGet();
		}, this.outage);
	}

	private static JobStoreException failure(Reason reason) {
		return new JobStoreException(reason, "It is away", null);
	}

}
