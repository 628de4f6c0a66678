package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.server.LagOrder.Lags;

/**
 * Measures the lags of many shards in rounds of {@value #MOST_AT_ONCE}: each takes a
 * script, and a queue may have a thousand shards. Shards that were not measured this time
 * keep the result of an earlier round. Used for one measurement at a time.
 */
final class LagRounds implements Lags {

	/** The most that one measurement asks. */
	static final int MOST_AT_ONCE = 64;

	private final Lags lags;

	private final Map<String, Duration> known = new ConcurrentHashMap<>();

	private int next;

	LagRounds(Lags lags) {
		this.lags = lags;
	}

	@Override
	public CompletableFuture<Map<String, Duration>> of(List<String> queues) {
		List<String> round = new ArrayList<>();
		for (int i = Math.min(MOST_AT_ONCE, queues.size()); i > 0; i--) {
			this.next = (this.next < queues.size()) ? this.next : 0;
			round.add(queues.get(this.next++));
		}
		return this.lags.of(round).thenApply((measured) -> {
			round.forEach(this.known::remove);
			this.known.putAll(measured);
			return Map.copyOf(this.known);
		});
	}

}
