package io.github.steadyjobs.boot;

import java.time.Clock;

import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.RunHistory;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the history of background jobs.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnClass(JobHistory.class)
@ConditionalOnBean(JobsProperties.class)
@EnableConfigurationProperties(HistoryProperties.class)
public final class JobsHistoryAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	JobHistory steadyJobsHistory(RedisConnections connections, JobsProperties properties) {
		return new JobHistory(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Launcher.class)
	@ConditionalOnBooleanProperty(name = "steadyjobs.history.enabled", matchIfMissing = true)
	RunHistory steadyJobsRunHistory(RedisConnections connections, JobsProperties properties) {
		return new RunHistory(connections, properties.prefix(), Clock.systemUTC());
	}

	@Bean
	@ConditionalOnBean(Launcher.class)
	@ConditionalOnBooleanProperty(name = "steadyjobs.history.enabled", matchIfMissing = true)
	DeployMark steadyJobsDeployMark(ObjectProvider<JobHistory> history, HistoryProperties properties,
			ObjectProvider<BuildProperties> build, Environment environment) {
		return new DeployMark(history::getObject, DeployMark.label(properties, build.getIfAvailable(), environment));
	}

}
