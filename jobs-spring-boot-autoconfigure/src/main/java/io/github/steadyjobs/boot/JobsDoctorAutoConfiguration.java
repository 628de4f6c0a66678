package io.github.steadyjobs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Examination;
import io.github.steadyjobs.doctor.Examinations;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the examination of Redis.
 */
@AutoConfiguration(
		after = { JobsAutoConfiguration.class, JobsAdminAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnClass(Doctor.class)
@ConditionalOnBean(JobsProperties.class)
@EnableConfigurationProperties(DoctorProperties.class)
@ConditionalOnBooleanProperty(name = "steadyjobs.doctor.enabled", matchIfMissing = true)
public final class JobsDoctorAutoConfiguration {

	private static final Duration PAUSE = Duration.ofSeconds(5);

	private static final String EMBEDDED = "embeddedRedisConnectionDetails";

	@Bean
	@ConditionalOnMissingBean
	Doctor steadyJobsDoctor(RedisConnections connections, JobsProperties jobs, DoctorProperties properties,
			JobRegistry registry, ObjectProvider<Launcher> launcher, ObjectProvider<Examination> others,
			BeanFactory beanFactory) {
		Map<Check, Severity> severities = properties.severity().byCheck();
		if (isEmbedded(connections, beanFactory)) {
			// The embedded Redis is not meant to keep its data.
			severities.put(Check.PERSISTENCE, Severity.OFF);
		}
		return new Doctor(connections, jobs.prefix(), Clock.systemUTC(), severities,
				() -> launcher.getIfAvailable() != null && !registry.definitions().isEmpty(),
				others.orderedStream().toList());
	}

	/**
	 * Return whether jobs are stored in the embedded Redis. There may be an embedded
	 * Redis for other data only.
	 */
	private static boolean isEmbedded(RedisConnections connections, BeanFactory beanFactory) {
		if (!beanFactory.containsBean(EMBEDDED)) {
			return false;
		}
		Standalone server = beanFactory.getBean(EMBEDDED, DataRedisConnectionDetails.class).getStandalone();
		return server != null
				&& connections.describe("").startsWith("%s:%d,".formatted(server.getHost(), server.getPort()));
	}

	@Bean
	@ConditionalOnBean({ JobAdmin.class, CapsulePlan.class })
	UnknownJobsCheck steadyJobsUnknownJobsCheck(ObjectProvider<JobAdmin> admin, JobRegistry registry,
			CapsulePlan plan) {
		return new UnknownJobsCheck(admin::getObject, registry,
				() -> plan.capsules()
					.stream()
					.flatMap((capsule) -> capsule.queues().stream())
					.map(Capsule.Queue::name)
					.distinct()
					.toList());
	}

	@Bean
	@ConditionalOnMissingBean
	Examinations steadyJobsExaminations(Doctor doctor) {
		return new Examinations(doctor, PAUSE);
	}

	@Bean
	ApplicationListener<ApplicationReadyEvent> steadyJobsExaminationsWhenReady(Examinations examinations) {
		return (event) -> examinations.ready();
	}

	/**
	 * Adds the findings of the doctor to health.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HealthIndicator.class)
	static class Health {

		@Bean
		JobsHealthPart steadyJobsDoctorHealth(Doctor doctor) {
			return new DoctorHealth(doctor);
		}

	}

}
