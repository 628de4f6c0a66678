package io.github.steadyjobs.server;

import java.util.List;

/**
 * What a capsule of this process is doing.
 *
 * @param name the name of the capsule
 * @param queues the queues it serves
 * @param concurrency how many jobs it runs at the same time
 * @param busy how many jobs it runs now
 * @param stalled whether it does nothing although it should: jobs are ready, a worker is
 * free and Redis answers
 */
public record CapsuleStatus(String name, List<String> queues, int concurrency, int busy, boolean stalled) {

	@Override
	public String toString() {
		return "%s (%d workers: %s)".formatted(this.name, this.concurrency, String.join(", ", this.queues));
	}

}
