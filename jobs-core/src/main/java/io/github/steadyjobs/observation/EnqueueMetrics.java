package io.github.steadyjobs.observation;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.core.Ordered;

/**
 * Counts requests to enqueue jobs: {@code jobs.enqueue} with the tags {@code job},
 * {@code queue} and {@code result}, which is {@code enqueued}, {@code scheduled},
 * {@code deferred}, {@code duplicate}, {@code stopped} or {@code failed}. Of bulk pushes
 * and inside of transactions duplicates are not known yet: {@link DeduplicationMetrics}
 * counts them all. Thread safe.
 */
public final class EnqueueMetrics implements ClientInterceptor, Ordered {

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
	public EnqueueResult intercept(JobRequest request, Chain chain) {
		Class<?> result = null;
		try {
			EnqueueResult enqueued = chain.proceed(request);
			result = enqueued.getClass();
			return enqueued;
		}
		finally {
			count(request, (result != null) ? result.getSimpleName().toLowerCase(Locale.ROOT) : "failed");
		}
	}

	private void count(JobRequest request, String result) {
		String job = (request.target() instanceof JobRequest.Named named) ? named.name() : "unknown";
		Key key = new Key(job, Objects.requireNonNullElse(request.options().queue(), "default"), result);
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

	@Override
	public int getOrder() {
		// Outermost, to count what other interceptors stop.
		return Ordered.HIGHEST_PRECEDENCE;
	}

	private record Key(String job, String queue, String result) {

	}

}
