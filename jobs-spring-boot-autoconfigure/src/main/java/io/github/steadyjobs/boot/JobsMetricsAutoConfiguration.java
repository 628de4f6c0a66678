package io.github.steadyjobs.boot;

import java.util.Set;
import java.util.TreeSet;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.EnqueueMetrics;
import io.github.steadyjobs.observation.JobRunMetrics;
import io.github.steadyjobs.observation.QueueMetrics;
import io.github.steadyjobs.observation.ReliabilityMetrics;
import io.github.steadyjobs.observation.WorkerMetrics;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the meters of background jobs.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, JobClient.class })
public final class JobsMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	EnqueueMetrics steadyJobsEnqueueMetrics(MeterRegistry registry) {
		return new EnqueueMetrics(registry);
	}

	@Bean
	MeterBinder steadyJobsClientMetrics(JobClient client) {
		return EnqueueMetrics.waiting(client);
	}

	@Bean
	@ConditionalOnMissingBean
	QueueMetrics steadyJobsQueueMetrics(RedisConnections connections, QueueMonitor monitor, PauseStore pauses,
			JobsProperties properties, JobRegistry registry, ObjectProvider<CapsulePlan> plan) {
		return new QueueMetrics(monitor, new ProcessStore(connections, properties.prefix()), pauses,
				() -> queues(properties, registry, plan));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Launcher.class)
	JobRunMetrics steadyJobsRunMetrics(MeterRegistry registry) {
		return new JobRunMetrics(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean({ Launcher.class, CapsulePlan.class })
	WorkerMetrics steadyJobsWorkerMetrics(Launcher launcher, CapsulePlan plan) {
		return new WorkerMetrics(() -> plan.capsules().stream().map(Capsule::name).toList(), launcher::capsules);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Launcher.class)
	ReliabilityMetrics steadyJobsReliabilityMetrics(MeterRegistry registry) {
		return new ReliabilityMetrics(registry);
	}

	private static Set<String> queues(JobsProperties properties, JobRegistry registry,
			ObjectProvider<CapsulePlan> plan) {
		Set<String> queues = new TreeSet<>(properties.queues().keySet());
		registry.definitions().stream().map(JobDefinition::queue).forEach(queues::add);
		plan.stream()
			.flatMap((present) -> present.capsules().stream())
			.flatMap((capsule) -> capsule.queues().stream())
			.map(Capsule.Queue::name)
			.forEach(queues::add);
		return queues;
	}

}
