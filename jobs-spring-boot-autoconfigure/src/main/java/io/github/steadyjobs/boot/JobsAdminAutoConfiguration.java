package io.github.steadyjobs.boot;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for inspecting queues and changing
 * jobs.
 */
@AutoConfiguration(after = JobsAutoConfiguration.class)
@ConditionalOnClass(JobAdmin.class)
@ConditionalOnBean({ RedisConnections.class, JobRegistry.class })
public final class JobsAdminAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobAudit steadyJobsAudit(RedisConnections connections, JobsProperties properties) {
		return new JobAudit(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	JobLocks steadyJobsLocks(RedisConnections connections, JobsProperties properties) {
		return new JobLocks(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	JobProcesses steadyJobsProcesses(RedisConnections connections, JobsProperties properties) {
		return new JobProcesses(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	JobPauses steadyJobsPauses(RedisConnections connections, JobsProperties properties) {
		return new JobPauses(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	OrderedJobs steadyJobsOrderedJobs(RedisConnections connections, JobsProperties properties, JobStore store,
			JobRegistry registry, PayloadCodec codec) {
		return new OrderedJobs(connections, properties.prefix(), store, registry, codec);
	}

	@Bean
	@ConditionalOnMissingBean
	JobAdmin steadyJobsAdmin(RedisConnections connections, JobsProperties properties, PayloadCodec codec,
			OrderedJobs ordered) {
		return new JobAdmin(connections, properties.prefix(), codec, ordered,
				new DeadLimits(properties.dead().max(), properties.dead().age()));
	}

}
