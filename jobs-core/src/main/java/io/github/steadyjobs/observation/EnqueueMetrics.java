package io.github.steadyjobs.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.client.EnqueueCounter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts requests to enqueue jobs: {@code jobs.enqueue} with the tags {@code job},
 * {@code queue} and {@code result}, which is {@code enqueued}, {@code scheduled},
 * {@code duplicate}, {@code stopped} or {@code failed}. Each request is counted once,
 * when its end is known: one inside of a transaction after the commit, and not at all
 * after a rollback. When one request of a bulk push is invalid, it alone is counted, for
 * nothing is sent. Thread safe.
 */
public final class EnqueueMetrics implements EnqueueCounter {

	private final MeterRegistry registry;

	private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

	/**
	 * Create the metrics.
	 * @param registry where the meters are registered
	 */
	public EnqueueMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void count(String job, String queue, String result) {
		Key key = new Key(job, queue, result);
		Counter counter = this.counters.get(key);
		if (counter == null) {
			counter = this.counters.computeIfAbsent(key, this::counter);
		}
		counter.increment();
	}

	private Counter counter(Key key) {
		return Counter.builder("jobs.enqueue")
			.description("Requests to enqueue jobs")
			.tag("job", key.job())
			.tag("queue", key.queue())
			.tag("result", key.result())
			.register(this.registry);
	}

	private record Key(String job, String queue, String result) {

	}

}
