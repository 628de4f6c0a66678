package io.github.steadyjobs.postgres;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Finds a replica that has caught up, or waits for such a replica. Thread safe.
 */
final class ReplicaSearch {

	private static final long FIRST_PAUSE = Duration.ofMillis(5).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofMillis(50).toNanos();

	private final List<DatabaseServer> replicas;

	private final Duration patience;

	private final AtomicInteger turn = new AtomicInteger();

	ReplicaSearch(List<DatabaseServer> replicas, Duration patience) {
		this.replicas = replicas;
		this.patience = patience;
	}

	Duration patience() {
		return this.patience;
	}

	/**
	 * Find a replica that has all data up to a position.
	 * @return the replica; {@code null} if no replica answers and catches up in time
	 */
	@Nullable DatabaseServer find(WalPosition wanted) throws InterruptedException {
		long deadline = System.nanoTime() + this.patience.toNanos();
		// Each search begins with a different replica, so that all replicas are used.
		int first = this.turn.getAndIncrement();
		for (long pause = FIRST_PAUSE;; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			boolean behind = false;
			for (int i = 0; i < this.replicas.size(); i++) {
				DatabaseServer replica = this.replicas.get(Math.floorMod(first + i, this.replicas.size()));
				Progress progress = replica.progress();
				if (progress != null && progress.hasReplayed(wanted)) {
					return replica;
				}
				behind |= progress != null && progress.replica();
			}
			long left = deadline - System.nanoTime();
			if (!behind || left <= 0) {
				return null;
			}
			TimeUnit.NANOSECONDS.sleep(Math.min(pause, left));
		}
	}

}
