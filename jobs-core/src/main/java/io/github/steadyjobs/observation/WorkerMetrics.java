package io.github.steadyjobs.observation;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.github.steadyjobs.server.Capsule;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Measures how busy the capsules of this process are: {@code jobs.workers.busy} and
 * {@code jobs.workers.max} with the tag {@code capsule}. Thread safe.
 */
public final class WorkerMetrics implements MeterBinder {

	private final Supplier<List<String>> capsules;

	private final Supplier<List<Capsule.Status>> statuses;

	/**
	 * Create the metrics.
	 * @param capsules provides the names of the capsules when the meters are bound
	 * @param statuses provides the current status of each capsule
	 */
	public WorkerMetrics(Supplier<List<String>> capsules, Supplier<List<Capsule.Status>> statuses) {
		this.capsules = capsules;
		this.statuses = statuses;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String capsule : this.capsules.get()) {
			JobMeter.WORKERS_BUSY.gauge(registry, () -> value(capsule, Capsule.Status::busy), capsule);
			JobMeter.WORKERS_MAX.gauge(registry, () -> value(capsule, Capsule.Status::concurrency), capsule);
		}
	}

	private int value(String capsule, ToIntFunction<Capsule.Status> value) {
		return this.statuses.get()
			.stream()
			.filter((status) -> status.name().equals(capsule))
			.mapToInt(value)
			.findFirst()
			.orElse(0);
	}

}
