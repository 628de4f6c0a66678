package io.github.steadyjobs.observation;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.DeduplicationListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what became of jobs because of equal ones: {@code jobs.deduplication} with the
 * tags {@code job}, {@code queue} and {@code event}, which is {@code dropped},
 * {@code runs_once_more}, {@code taken_over}, {@code expired} or {@code possible}, as in
 * {@link DeduplicationListener.Kind}. Thread safe.
 */
public final class DeduplicationMetrics implements DeduplicationListener {

	private final MeterRegistry registry;

	private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

	/**
	 * Create the metrics.
	 * @param registry where the meters are registered
	 */
	public DeduplicationMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void deduplicated(Event event) {
		Key key = new Key(event.job(), event.queue(), event.kind());
		Counter counter = this.counters.get(key);
		if (counter == null) {
			counter = this.counters.computeIfAbsent(key, this::counter);
		}
		counter.increment();
	}

	private Counter counter(Key key) {
		return Counter.builder("jobs.deduplication")
			.description("Jobs that were dropped as duplicates, and other things that became of equal jobs")
			.tag("job", key.job())
			.tag("queue", key.queue())
			.tag("event", key.kind().name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	private record Key(String job, String queue, Kind kind) {

	}

}
