package io.github.steadyjobs.sidekiq;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.sidekiq.SidekiqRedis.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the batches that other bridges have left behind. A bridge that makes no progress
 * is declared dead, by the clock of this process. If that bridge is only slow, nothing is
 * lost or stored twice, because both bridges make the same calls. Not thread safe.
 */
final class LeftBatches {

	private static final Logger logger = LoggerFactory.getLogger(LeftBatches.class);

	/**
	 * A bridge without a batch is forgotten after this time. If it is still alive, it
	 * becomes known again.
	 */
	private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

	private final SidekiqRedis redis;

	private final BatchMover mover;

	private final long patience;

	private final Map<String, Seen> seen = new HashMap<>();

	private final Set<String> foreign = new HashSet<>();

	/**
	 * Create a mover.
	 * @param patience the time without progress after which a bridge is declared dead
	 */
	LeftBatches(SidekiqRedis redis, BatchMover mover, Duration patience) {
		this.redis = redis;
		this.mover = mover;
		this.patience = patience.toNanos();
	}

	/**
	 * Check the other bridges. If a bridge makes no progress, move its batch.
	 * @param own the name of the bridge of this process
	 * @param now the current {@link System#nanoTime()}
	 */
	void move(String own, long now) {
		Map<String, String> bridges = this.redis.allBridges();
		bridges.remove(own);
		this.seen.keySet().retainAll(bridges.keySet());
		this.foreign.retainAll(bridges.keySet());
		bridges.forEach((bridge, state) -> {
			Seen before = this.seen.get(bridge);
			if (before == null || !before.state.equals(state)) {
				this.seen.put(bridge, new Seen(state, now));
			}
			else if (now - before.since >= this.patience) {
				moveOf(bridge, before, now);
			}
		});
	}

	/**
	 * Forget for how long the other bridges have made no progress. To be called after a
	 * failure, because no bridge makes progress while Redis is unavailable.
	 */
	void forget() {
		this.seen.clear();
	}

	private void moveOf(String bridge, Seen seen, long now) {
		long number = Long.parseLong(seen.state.substring(0, seen.state.indexOf(' ')));
		if (seen.empty) {
			if (now - seen.since >= FORGOTTEN_AFTER.toNanos()) {
				this.redis.exchange(bridge, number, -1, List.of(), Sources.NONE);
			}
			return;
		}
		Batch batch = this.redis.exchange(bridge, number, 0, List.of(), Sources.NONE);
		if (batch == null || batch.elements().isEmpty()) {
			seen.empty = batch != null;
			return;
		}
		if (!this.mover.knowsAll(batch)) {
			if (this.foreign.add(bridge)) {
				logger
					.warn("The bridge {} has left {} elements of Sidekiq's lists, some of them of queues that are not "
							+ "in 'steadyjobs.sidekiq.queues' here. They stay until a bridge with these queues runs",
							bridge, batch.elements().size());
			}
			return;
		}
		List<Integer> refused = this.mover.move(batch);
		this.redis.exchange(bridge, number + 1, 0, refused, Sources.NONE);
		logger.info("Moved {} elements of Sidekiq's lists that the bridge {} had left", batch.elements().size(),
				bridge);
	}

	private static final class Seen {

		private final String state;

		private final long since;

		private boolean empty;

		private Seen(String state, long since) {
			this.state = state;
			this.since = since;
		}

	}

}
