package io.github.steadyjobs.dashboard;

import java.time.Instant;

import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A value that a {@link Sample} provides.
 *
 * @param value the value that was read
 * @param at when the value was read
 * @param failure why there is no newer value, {@code null} if this value is new enough
 */
record Reading<T>(T value, Instant at, @Nullable JobStoreException failure) {

	/** Return a value that has just been read. */
	static <T> Reading<T> now(T value) {
		return new Reading<>(value, Instant.now(), null);
	}

	Reading<T> failed(JobStoreException failure) {
		return new Reading<>(this.value, this.at, failure);
	}

}
