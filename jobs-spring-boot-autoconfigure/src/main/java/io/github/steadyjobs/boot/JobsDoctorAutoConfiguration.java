package io.github.steadyjobs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Examinations;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ServerProbe;
import io.github.steadyjobs.server.Launcher;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the examination of Redis.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnBean({ RedisConnections.class, JobRegistry.class })
@ConditionalOnBooleanProperty(name = "steadyjobs.doctor.enabled", matchIfMissing = true)
public final class JobsDoctorAutoConfiguration {

	private static final Duration PAUSE = Duration.ofSeconds(5);

	private static final String EMBEDDED = "embeddedRedisConnectionDetails";

	@Bean
	static LazyInitializationExcludeFilter steadyJobsExaminationEagerly() {
		// Nobody asks for it, and without it nothing is examined.
		return LazyInitializationExcludeFilter.forBeanTypes(Examinations.class);
	}

	@Bean
	@ConditionalOnMissingBean
	Doctor steadyJobsDoctor(RedisConnections connections, JobsProperties properties, JobRegistry registry,
			ObjectProvider<Launcher> launcher, ObjectProvider<RecurringReport> recurring, BeanFactory beanFactory) {
		Map<Check, Severity> severities = properties.doctor().severity().byCheck();
		if (isEmbedded(connections, beanFactory)) {
			// It is meant to forget.
			severities.put(Check.PERSISTENCE, Severity.OFF);
		}
		return new Doctor(new ServerProbe(connections, properties.prefix(), Clock.systemUTC()), severities,
				() -> launcher.getIfAvailable() != null && !registry.definitions().isEmpty(),
				recurring.stream().collect(Collectors.toMap((report) -> Check.RECURRING, (report) -> report::finding)));
	}

	/**
	 * Jobs may be stored elsewhere, although an embedded Redis runs for other data.
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
	@ConditionalOnMissingBean
	Examinations steadyJobsExaminations(Doctor doctor) {
		return new Examinations(doctor, PAUSE);
	}

	@Bean
	ApplicationListener<ApplicationReadyEvent> steadyJobsExaminationsWhenReady(Examinations examinations) {
		return (event) -> examinations.ready();
	}

}
