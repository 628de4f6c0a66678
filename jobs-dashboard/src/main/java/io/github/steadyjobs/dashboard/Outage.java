package io.github.steadyjobs.dashboard;

import java.time.Duration;

import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that Redis did not answer, so that a page with several samples waits for a
 * timeout only once. Thread-safe.
 */
final class Outage {

	private static final long REMEMBERED = Duration.ofSeconds(5).toNanos();

	private volatile @Nullable Failure last;

	void note(JobStoreException failure) {
		switch (failure.reason()) {
			case UNREACHABLE, UNANSWERED, NOT_READY -> this.last = new Failure(failure, System.nanoTime());
			default -> {
				// Redis has refused only this call, and may answer other calls.
			}
		}
	}

	/**
	 * Return why Redis should not be called now, {@code null} if it may be called.
	 */
	@Nullable JobStoreException current() {
		Failure failure = this.last;
		return (failure != null && System.nanoTime() - failure.at() < REMEMBERED) ? failure.cause() : null;
	}

	private record Failure(JobStoreException cause, long at) {

	}

}
