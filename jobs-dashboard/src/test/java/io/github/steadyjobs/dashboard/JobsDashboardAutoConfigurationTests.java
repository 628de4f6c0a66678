package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsDashboardAutoConfiguration}.
 */
class JobsDashboardAutoConfigurationTests {

	private static final AutoConfigurations JOBS = AutoConfigurations.of(DashboardFixture.Application.class);

	private static final String[] AWAY = { "spring.data.redis.url=redis://127.0.0.1:1",
			"steadyjobs.worker.auto-startup=false" };

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(JOBS)
		.withPropertyValues(AWAY);

	private final WebApplicationContextRunner enabled = this.runner
		.withPropertyValues("steadyjobs.dashboard.enabled=true");

	@Test
	void dashboardIsOffUnlessItIsEnabled() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Dashboard.class)
			.doesNotHaveBean(DashboardRegistration.class));
	}

	@Test
	void dashboardIsOnUnderDevTools() throws IOException {
		Properties defaults = PropertiesLoaderUtils.loadAllProperties("META-INF/spring-devtools.properties");
		assertThat(defaults).containsEntry("defaults.steadyjobs.dashboard.enabled", "true");
	}

	@Test
	void dashboardIsServedAtItsPath() {
		this.enabled.withPropertyValues("steadyjobs.dashboard.path=/admin/back-ground_jobs.v2")
			.run((context) -> assertThat(context.getBean(DashboardRegistration.class).getUrlMappings())
				.containsExactly("/admin/back-ground_jobs.v2/*"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "jobs", "/jobs/", "//jobs", "/jobs/*", "/../jobs", "/jobs?x", "/a b", "/jöbs" })
	void pathThatCannotBeServedIsRefused(String path) {
		this.enabled.withPropertyValues("steadyjobs.dashboard.path=" + path)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("steadyjobs.dashboard.path"));
	}

	@Test
	void applicationWithoutServletsHasNone() {
		new ApplicationContextRunner().withConfiguration(JOBS)
			.withPropertyValues(AWAY)
			.withPropertyValues("steadyjobs.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
		new ReactiveWebApplicationContextRunner().withConfiguration(JOBS)
			.withPropertyValues(AWAY)
			.withPropertyValues("steadyjobs.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
	}

	@Test
	void applicationThatOnlyEnqueuesHasOne() {
		this.enabled.withPropertyValues("steadyjobs.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DashboardRegistration.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.github.steadyjobs.recurring", "org.springframework.boot.actuate",
			"org.springframework.security", "org.springframework.boot.security" })
	void applicationWithoutAnOptionalModuleHasOne(String missing) {
		this.enabled.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DashboardRegistration.class));
	}

	@Test
	void applicationWithoutAdministrationHasNone() {
		this.enabled
			.withClassLoader(new FilteredClassLoader("io.github.steadyjobs.admin", "io.github.steadyjobs.audit",
					"io.github.steadyjobs.doctor"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardRegistration.class));
	}

	@Test
	void managementPortNeedsActuator() {
		WebApplicationContextRunner management = this.enabled
			.withPropertyValues("steadyjobs.dashboard.port=management");
		management.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardRegistration.class));
		management.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("steadyjobs.dashboard.port")
				.hasMessageContaining("spring-boot-starter-actuator"));
	}

	@Test
	void limitsAreThoseOfTheWorkers() {
		this.enabled
			.withPropertyValues("steadyjobs.runs.stuck-after=2h", "steadyjobs.liveness.beat=3s",
					"steadyjobs.dashboard.late-after=5m")
			.run((context) -> assertThat(context.getBean(Limits.class))
				.isEqualTo(new Limits(Duration.ofMinutes(5), Duration.ofHours(2), Duration.ofSeconds(12))));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void logSaysWhereItIsAndForWhom(CapturedOutput output) {
		this.enabled.run((context) -> context.getBean(DashboardRegistration.class).announce("/shop/jobs"));
		assertThat(output)
			.containsPattern("INFO .*Jobs dashboard available at '/shop/jobs' for browsers on this machine only");
		this.enabled.withPropertyValues("steadyjobs.dashboard.open=true")
			.run((context) -> context.getBean(DashboardRegistration.class).announce("/open"));
		assertThat(output).containsPattern(
				"WARN .*Jobs dashboard available at '/open' for everybody who can reach it, to change everything");
		this.enabled.withPropertyValues("steadyjobs.dashboard.open=true", "steadyjobs.dashboard.read-only=true")
			.run((context) -> context.getBean(DashboardRegistration.class).announce("/shown"));
		assertThat(output).contains("available at '/shown' for everybody who can reach it, read-only");
		this.enabled.withBean("springSecurityFilterChain", Object.class, Object::new)
			.run((context) -> context.getBean(DashboardRegistration.class).announce("/secured"));
		assertThat(output).contains(
				"available at '/secured' for users with one of the roles JOBS_VIEW, JOBS_OPERATE, JOBS_ADMINISTER");
	}

}
