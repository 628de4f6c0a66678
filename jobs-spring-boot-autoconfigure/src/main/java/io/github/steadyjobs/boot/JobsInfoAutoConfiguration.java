package io.github.steadyjobs.boot;

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
 * {@link EnableAutoConfiguration Auto-configuration} for the background job details of
 * {@code /actuator/info}.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean(JobsProperties.class)
public final class JobsInfoAutoConfiguration {

	@Bean
	@ConditionalOnEnabledInfoContributor(value = "jobs", fallback = InfoContributorFallback.DISABLE)
	@ConditionalOnMissingBean(name = "jobsInfoContributor")
	JobsInfoContributor jobsInfoContributor(JobsProperties properties, ObjectProvider<Launcher> launcher) {
		return new JobsInfoContributor(properties.prefix(), launcher.getIfAvailable());
	}

}
