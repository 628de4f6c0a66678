package io.github.steadyjobs.boot;

import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.server.Launcher;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of background jobs.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(QueueMonitor.class)
@ConditionalOnEnabledHealthIndicator("jobs")
@EnableConfigurationProperties(JobsHealthProperties.class)
public final class JobsHealthAutoConfiguration {

	// This bean is not named like the other beans here, because Spring Boot derives the
	// path health/jobs from this name.
	@Bean
	@ConditionalOnMissingBean(name = "jobsHealthIndicator")
	JobsHealthIndicator jobsHealthIndicator(QueueMonitor monitor, PauseStore pauses, ObjectProvider<Launcher> launcher,
			ObjectProvider<JobsHealthPart> parts, JobsHealthProperties properties) {
		return new JobsHealthIndicator(monitor, pauses, launcher.getIfAvailable(), parts.orderedStream().toList(),
				properties);
	}

}
