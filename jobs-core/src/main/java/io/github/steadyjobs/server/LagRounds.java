package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.server.LagOrder.Lags;

/**
 * Measures the lags of many parts in rounds of {@value #MOST_AT_ONCE}, because each part
 * takes a script call, and a queue may have a thousand parts. Parts that were not
 * measured in this round keep the result of an earlier round. Must not be used for two
 * measurements at the same time.
 */
final class LagRounds implements Lags {

	/** The maximum number of parts in one round. */
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
