package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what {@code /actuator/info} says
 * about background jobs. It never asks Redis.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean(JobsProperties.class)
public final class JobsInfoAutoConfiguration {

	@Bean
	@ConditionalOnEnabledInfoContributor(value = "jobs", fallback = InfoContributorFallback.DISABLE)
	@ConditionalOnMissingBean(name = "jobsInfoContributor")
	InfoContributor jobsInfoContributor(JobsProperties properties, ObjectProvider<Launcher> launcher) {
		return (builder) -> {
			Map<String, Object> jobs = new LinkedHashMap<>();
			String version = OverviewSubject.version();
			if (version != null) {
				jobs.put("version", version);
			}
			jobs.put("prefix", properties.prefix());
			launcher.ifAvailable((workers) -> jobs.putAll(describe(workers)));
			builder.withDetail("jobs", jobs);
		};
	}

	private static Map<String, ?> describe(Launcher launcher) {
		List<Capsule.Status> capsules = launcher.capsules();
		Map<String, Object> concurrency = new LinkedHashMap<>();
		capsules.forEach((capsule) -> concurrency.put(capsule.name(),
				Map.of("concurrency", capsule.concurrency(), "queues", capsule.queues())));
		return Map.of("queues",
				capsules.stream().flatMap((capsule) -> capsule.queues().stream()).distinct().sorted().toList(),
				"capsules", concurrency);
	}

}
