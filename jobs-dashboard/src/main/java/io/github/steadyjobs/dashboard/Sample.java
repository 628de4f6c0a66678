package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A value that is read from Redis for all viewers and reused for some time. While Redis
 * does not answer, the last value is used. Thread-safe.
 */
final class Sample<T> {

	private final long kept;

	private final Supplier<T> source;

	private final Outage outage;

	private final Lock lock = new ReentrantLock();

	private volatile @Nullable Reading<T> last;

	private long takenAt;

	private volatile boolean expired;

	/**
	 * Create a sample that has no value yet.
	 * @param kept how long a value is used before it is read again
	 */
	Sample(Duration kept, Supplier<T> source, Outage outage) {
		this.kept = kept.toNanos();
		this.source = source;
		this.outage = outage;
	}

	/**
	 * Return the value. If the last value is too old, first read a new value.
	 * @throws JobStoreException if there is no value yet and reading it fails
	 */
	Reading<T> read() {
		this.lock.lock();
		try {
			Reading<T> present = this.last;
			if (present != null && !this.expired && System.nanoTime() - this.takenAt < this.kept) {
				return present;
			}
			JobStoreException failure = this.outage.current();
			if (failure == null) {
				try {
					return take();
				}
				catch (JobStoreException ex) {
					this.outage.note(ex);
					failure = ex;
				}
			}
			if (present == null) {
				throw failure;
			}
			return present.failed(failure);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the value like {@link #read()}, for a page that can do without the value.
	 * @return the value, {@code null} if Redis refuses or the stored data is damaged
	 */
	@Nullable Reading<T> readIfPossible() {
		try {
			return read();
		}
		catch (JobStoreException ex) {
			return switch (ex.reason()) {
				case REFUSED, DAMAGED -> null;
				default -> throw ex;
			};
		}
	}

	private Reading<T> take() {
		this.expired = false;
		Reading<T> taken = Reading.now(this.source.get());
		this.takenAt = System.nanoTime();
		this.last = taken;
		return taken;
	}

	/** Read a new value the next time, because this process has changed something. */
	void expire() {
		this.expired = true;
	}

	/** Return when the value was last read, {@code null} if it has never been read. */
	@Nullable Instant readAt() {
		Reading<T> present = this.last;
		return (present != null) ? present.at() : null;
	}

}
