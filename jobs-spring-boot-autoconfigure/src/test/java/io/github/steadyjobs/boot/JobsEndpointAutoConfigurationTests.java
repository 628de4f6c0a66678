package io.github.steadyjobs.boot;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobsEndpointAutoConfiguration} and {@link JobsInfoAutoConfiguration}.
 */
@RedisTest
class JobsEndpointAutoConfigurationTests {

	private final WebApplicationContextRunner runner;

	JobsEndpointAutoConfigurationTests(TestRedis redis) {
		this.runner = new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsAdminAutoConfiguration.class, JobsRecurringAutoConfiguration.class,
					JobsWorkerAutoConfiguration.class, JobsDoctorAutoConfiguration.class,
					JobsHistoryAutoConfiguration.class, JobsEndpointAutoConfiguration.class,
					JobsInfoAutoConfiguration.class, EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class))
			.withInitializer(
					(context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
			.withUserConfiguration(JobsHealthIntegrationTests.MailJobs.class)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix());
	}

	@Test
	void endpointWhenNotExposedIsAbsent() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(JobsEndpoint.class)
			.doesNotHaveBean(JobsEndpoint.Subjects.class));
	}

	@ParameterizedTest
	@CsvSource({ "management.endpoint.jobs.access=none", "steadyjobs.enabled=false",
			"management.endpoints.access.max-permitted=none" })
	void endpointWhenSwitchedOffIsAbsent(String property) {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=jobs", property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobsEndpoint.class));
	}

	@ParameterizedTest
	@CsvSource({ "x=y, 3", "management.endpoint.jobs.access=read-only, 3",
			"management.endpoint.jobs.access=unrestricted, 5" })
	void endpointWhenExposedCanOnlyBeReadUnlessAccessIsUnrestricted(String property, int operations) {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=*", property)
			.run((context) -> assertThat(context.getBean(WebEndpointsSupplier.class).getEndpoints()).singleElement()
				.satisfies((endpoint) -> {
					assertThat(endpoint.getEndpointId().toString()).isEqualTo("jobs");
					assertThat(endpoint.getOperations()).hasSize(operations)
						.extracting(WebOperation::getRequestPredicate)
						.extracting((predicate) -> predicate.getPath())
						.contains("jobs", "jobs/{subject}", "jobs/{subject}/{item}");
				}));
	}

	@Test
	void endpointIsUsableOverJmx() {
		this.runner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, JmxEndpointAutoConfiguration.class))
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=jobs",
					"management.endpoint.jobs.access=unrestricted", "steadyjobs.worker.auto-startup=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(JobsEndpointWebExtension.class);
				context.getBean(JobClient.class)
					.enqueue(JobsHealthIntegrationTests.MailJobs.class, JobsHealthIntegrationTests.MailJobs::send);
				MBeanServer server = ManagementFactory.getPlatformMBeanServer();
				ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Jobs");
				Object overview = server.invoke(name, "overview", new Object[0], new String[0]);
				assertThat(overview).asInstanceOf(InstanceOfAssertFactories.MAP)
					.containsKeys("totals", "queues", "lastHour");
				Object purged = invoke(server, name, "changeOne",
						Map.of("subject", "queues", "item", "mail", "action", "purge", "place", "ready"));
				assertThat(purged).isEqualTo(Map.of("deleted", 1L));
				assertThatExceptionOfType(MBeanException.class)
					.isThrownBy(() -> invoke(server, name, "readOne", Map.of("subject", "queues", "item", "moon")))
					.withMessageContaining("No queue is called 'moon'");
			});
	}

	private static Object invoke(MBeanServer server, ObjectName name, String operation, Map<String, String> arguments)
			throws Exception {
		MBeanInfo info = server.getMBeanInfo(name);
		for (MBeanOperationInfo candidate : info.getOperations()) {
			if (candidate.getName().equals(operation)) {
				Object[] values = Arrays.stream(candidate.getSignature())
					.map((parameter) -> arguments.get(parameter.getName()))
					.toArray();
				return server.invoke(name, operation, values, new String[values.length]);
			}
		}
		throw new AssertionError("no operation " + operation);
	}

	@Test
	void applicationWithoutActuatorStarts() {
		// The class is imported as in a real application, instead of being registered
		// directly.
		new WebApplicationContextRunner().withUserConfiguration(WithoutActuator.class)
			.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1")
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.withPropertyValues("management.endpoints.web.exposure.include=*", "management.info.jobs.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobClient.class)
				.doesNotHaveBean("jobsEndpoint")
				.doesNotHaveBean("jobsInfoContributor"));
	}

	@Test
	void infoWhenEnabledSaysWhatThisProcessServes() {
		this.runner.withPropertyValues("management.info.jobs.enabled=true", "steadyjobs.liveness.beat=1s")
			.run((context) -> {
				Info.Builder builder = new Info.Builder();
				context.getBean("jobsInfoContributor", InfoContributor.class).contribute(builder);
				assertThat(builder.build().getDetails().get("jobs")).asInstanceOf(InstanceOfAssertFactories.MAP)
					.containsEntry("queues", List.of("mail"))
					.containsEntry("capsules", Map.of("default", Map.of("concurrency", 10, "queues", List.of("mail"))));
			});
	}

	@Test
	void infoWhenNotAskedForIsAbsent() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean("jobsInfoContributor"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
			JobsAdminAutoConfiguration.class, JobsRecurringAutoConfiguration.class, JobsWorkerAutoConfiguration.class,
			JobsDoctorAutoConfiguration.class, JobsHistoryAutoConfiguration.class, JobsEndpointAutoConfiguration.class,
			JobsInfoAutoConfiguration.class })
	static class WithoutActuator {

	}

}
