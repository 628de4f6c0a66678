package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.WrongType;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports whether jobs can be stored and fetched, whether they are safe in Redis, and how
 * many jobs there are. Failing jobs do not affect health. Waiting jobs affect health only
 * if a latency limit is set.
 */
final class JobsHealthIndicator extends AbstractHealthIndicator {

	private final QueueMonitor monitor;

	private final PauseStore pauses;

	private final @Nullable Launcher launcher;

	private final List<JobsHealthPart> parts;

	private final JobsHealthProperties properties;

	JobsHealthIndicator(QueueMonitor monitor, PauseStore pauses, @Nullable Launcher launcher,
			List<JobsHealthPart> parts, JobsHealthProperties properties) {
		super("Redis cannot be used for jobs");
		this.monitor = monitor;
		this.pauses = pauses;
		this.launcher = launcher;
		this.parts = parts;
		this.properties = properties;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		// This detail comes first, so that it is reported even if Redis is unavailable.
		builder.withDetail("redis", this.monitor.redis());
		if (this.launcher != null) {
			builder.withDetail("workers", workers(this.launcher));
		}
		if (!dataLosses().isEmpty()) {
			builder.withDetail("dataLost", dataLosses());
		}
		List<Status> statuses = new ArrayList<>();
		this.parts.forEach((part) -> statuses.add(part.addTo(builder)));
		builder.withDetail("server", this.monitor.serverVersion().toString());
		List<WrongType> damaged = this.monitor.wrongTypes();
		if (!damaged.isEmpty()) {
			builder.withDetail("damaged", keys(damaged));
		}
		Pauses pauses = this.pauses.read();
		if (!pauses.all().isEmpty()) {
			builder.withDetail("paused", paused(pauses));
		}
		Map<String, QueueMonitor.Sample> queues = this.monitor.totals(List.of());
		Map<String, String> late = late(queues, pauses);
		if (!late.isEmpty()) {
			builder.withDetail("late", late);
		}
		builder.withDetail("queues", counts(queues));
		boolean down = isStalled() || !damaged.isEmpty() || statuses.contains(Status.DOWN);
		// Late jobs are not reported as DOWN, because a restart would not help.
		boolean isLate = !late.isEmpty() || statuses.contains(Status.OUT_OF_SERVICE);
		builder.status(down ? Status.DOWN : isLate ? Status.OUT_OF_SERVICE : Status.UP);
	}

	private Map<String, String> late(Map<String, QueueMonitor.Sample> queues, Pauses pauses) {
		Map<String, String> late = new TreeMap<>();
		queues.forEach((name, queue) -> {
			Duration limit = this.properties.latencyLimitOf(name);
			// Jobs of a paused queue are meant to wait.
			if (limit != null && queue.latency().compareTo(limit) > 0
					&& !pauses.byTarget().containsKey(Target.queue(name))) {
				late.put(name,
						"the oldest job has waited for %d s, and the limit is %d s: no worker serves it, or too few"
							.formatted(queue.latency().toSeconds(), limit.toSeconds()));
			}
		});
		return late;
	}

	private Map<String, String> dataLosses() {
		Map<String, String> losses = new TreeMap<>();
		this.parts.forEach((part) -> losses.putAll(part.dataLosses()));
		if (this.launcher != null) {
			losses.putAll(this.launcher.dataLosses());
		}
		return losses;
	}

	private static Map<String, String> keys(List<WrongType> damaged) {
		Map<String, String> keys = new LinkedHashMap<>();
		for (WrongType wrong : damaged) {
			keys.put(wrong.key(), "is a %s, must be a %s".formatted(wrong.found(), wrong.expected()));
		}
		return keys;
	}

	private static Map<String, String> paused(Pauses pauses) {
		Map<String, String> paused = new TreeMap<>();
		pauses.all().forEach((pause) -> paused.put(pause.target().toString(), pause.toString()));
		return paused;
	}

	private boolean isStalled() {
		return this.launcher != null && this.launcher.capsules().stream().anyMatch(Capsule.Status::stalled);
	}

	private static Map<String, String> workers(Launcher launcher) {
		Map<String, String> workers = new LinkedHashMap<>();
		for (Capsule.Status capsule : launcher.capsules()) {
			workers.put(capsule.name(),
					capsule.stalled()
							? "stalled: has claimed and settled nothing although there are jobs; restart this process"
							: "%d of %d busy".formatted(capsule.busy(), capsule.concurrency()));
		}
		return workers;
	}

	private static Map<String, Map<String, Long>> counts(Map<String, QueueMonitor.Sample> queues) {
		Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
		queues.forEach((queue, sample) -> counts.put(queue, counts(sample)));
		return counts;
	}

	private static Map<String, Long> counts(QueueMonitor.Sample sample) {
		Map<String, Long> counts = new LinkedHashMap<>();
		counts.put("ready", sample.ready());
		counts.put("working", sample.working());
		counts.put("scheduled", sample.scheduled());
		counts.put("retries", sample.retries());
		counts.put("parked", sample.parked());
		counts.put("suspects", sample.suspects());
		counts.put("dead", sample.dead());
		return counts;
	}

}
