package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Reports the queues that this process serves and the name under which other processes
 * know this process. Never sends requests to Redis.
 */
final class JobsInfoContributor implements InfoContributor, WorkerEvent.Listener {

	private final String prefix;

	private final @Nullable Launcher launcher;

	private volatile @Nullable String process;

	JobsInfoContributor(String prefix, @Nullable Launcher launcher) {
		this.prefix = prefix;
		this.launcher = launcher;
	}

	@Override
	public void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Started started) {
			this.process = started.process();
		}
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> jobs = new LinkedHashMap<>();
		String version = JobsProperties.version();
		if (version != null) {
			jobs.put("version", version);
		}
		jobs.put("prefix", this.prefix);
		List<Capsule.Status> capsules = (this.launcher != null) ? this.launcher.capsules() : List.of();
		String name = this.process;
		if (name != null && !capsules.isEmpty()) {
			jobs.put("process", name);
		}
		Map<String, Object> workers = new LinkedHashMap<>();
		capsules.forEach((capsule) -> workers.put(capsule.name(),
				Map.of("concurrency", capsule.concurrency(), "queues", capsule.queues())));
		jobs.put("queues",
				capsules.stream().flatMap((capsule) -> capsule.queues().stream()).distinct().sorted().toList());
		jobs.put("capsules", workers);
		builder.withDetail("jobs", jobs);
	}

}
