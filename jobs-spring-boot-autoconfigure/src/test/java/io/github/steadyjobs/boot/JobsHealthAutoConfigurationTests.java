package io.github.steadyjobs.boot;

import io.github.steadyjobs.JobClient;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsHealthAutoConfiguration} without a Redis.
 */
class JobsHealthAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsRecurringAutoConfiguration.class, JobsWorkerAutoConfiguration.class,
				JobsHealthAutoConfiguration.class, HealthContributorAutoConfiguration.class,
				HealthContributorRegistryAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1");

	@Test
	void indicatorWhenNothingIsConfiguredIsCalledJobs() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JobsHealthIndicator.class);
			assertThat(context.getBean(HealthContributorRegistry.class).getContributor("jobs"))
				.isSameAs(context.getBean(JobsHealthIndicator.class));
		});
	}

	@Test
	void indicatorWhenWorkerIsSwitchedOffIsThere() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(JobsHealthIndicator.class));
	}

	@Test
	void indicatorWhenSwitchedOffIsAbsent() {
		this.runner.withPropertyValues("management.health.jobs.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobsHealthIndicator.class));
	}

	@Test
	void indicatorWhenAllAreSwitchedOffButThisIsThere() {
		this.runner
			.withPropertyValues("management.health.defaults.enabled=false", "management.health.jobs.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(JobsHealthIndicator.class));
	}

	@Test
	void indicatorWhenJobsAreSwitchedOffIsAbsent() {
		this.runner.withPropertyValues("steadyjobs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobsHealthIndicator.class));
	}

	@Test
	void indicatorWhenHealthIsAbsentIsAbsent() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsRecurringAutoConfiguration.class, JobsHealthAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasSingleBean(JobClient.class)
				.doesNotHaveBean("jobsHealthIndicator"));
	}

	@Test
	void indicatorWhenUserHasOneBacksOff() {
		HealthIndicator own = () -> Health.up().build();
		this.runner.withBean("jobsHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context.getBean("jobsHealthIndicator")).isSameAs(own));
	}

	@Test
	void healthWhenRedisIsAwayIsDownAndSaysWhatToCheck() {
		this.runner.run((context) -> {
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).extractingByKey("error")
				.asString()
				.contains("JobStoreUnavailableException: Redis is not reachable")
				.contains("Check 'spring.data.redis.*' and the server");
		});
	}

}
