package io.github.steadyjobs.boot;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.server.Launcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications without {@code jobs-recurring} or {@code jobs-admin}.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingModulesTests {

	private static final String RECURRING = "io.github.steadyjobs.recurring";

	private static final String[] ADMIN = { "io.github.steadyjobs.admin", "io.github.steadyjobs.audit",
			"io.github.steadyjobs.doctor" };

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JobsWithEverything.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "steadyjobs.worker.auto-startup=false",
				"management.endpoints.web.exposure.include=jobs,health");

	@Test
	void applicationWithoutRecurringStarts() {
		this.runner.withClassLoader(new FilteredClassLoader(RECURRING))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobClient.class)
				.hasSingleBean(Launcher.class)
				.hasSingleBean(JobAdmin.class)
				.hasSingleBean(JobsEndpoint.class)
				.hasSingleBean(JobsHealthIndicator.class));
	}

	@Test
	void applicationWithoutAdminStarts() {
		this.runner.withClassLoader(new FilteredClassLoader(ADMIN))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobClient.class)
				.hasSingleBean(Launcher.class)
				.hasSingleBean(RecurringJobs.class)
				.hasSingleBean(JobsHealthIndicator.class)
				.doesNotHaveBean(JobsEndpoint.class));
	}

	@Test
	void applicationWithNeitherStarts() {
		this.runner.withClassLoader(new FilteredClassLoader(RECURRING, ADMIN[0], ADMIN[1], ADMIN[2]))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobClient.class)
				.hasSingleBean(Launcher.class)
				.hasSingleBean(JobsHealthIndicator.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnClass.class, Twice.class })
	void recurringJobWithoutItsModuleIsRefused(Class<?> bean) {
		this.runner.withClassLoader(new FilteredClassLoader(RECURRING))
			.withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(JobDefinitionException.class)
				.hasMessageContaining("is @Recurring, and jobs-recurring is not on the class path")
				.hasMessageContaining("Add the dependency io.github.steadyjobs:jobs-recurring"));
	}

	@Test
	void propertyOfARecurringJobWithoutItsModuleIsRefused() {
		this.runner.withClassLoader(new FilteredClassLoader(RECURRING))
			.withPropertyValues("steadyjobs.recurring.nightly.cron=@daily")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(JobDefinitionException.class)
				.hasMessageContaining("'steadyjobs.recurring.nightly.cron' is set, and jobs-recurring"));
	}

	@EnableAutoConfiguration
	static class JobsWithEverything {

	}

	static class OnMethod {

		@Job
		@Recurring(every = "1h")
		public void run() {
		}

	}

	@Job
	@Recurring(every = "1h")
	static class OnClass {

		public void perform() {
		}

	}

	static class Twice {

		@Job
		@Recurring(name = "often", every = "1h")
		@Recurring(name = "rarely", every = "2h")
		public void run() {
		}

	}

}
