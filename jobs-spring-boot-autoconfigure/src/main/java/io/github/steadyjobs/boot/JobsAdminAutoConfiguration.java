package io.github.steadyjobs.boot;

import java.security.Principal;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for inspecting queues and changing
 * jobs. The beans are created when they are first used, which most applications do only
 * while an operator looks at them.
 */
@AutoConfiguration(after = JobsAutoConfiguration.class)
@Lazy
@ConditionalOnClass(JobAdmin.class)
@ConditionalOnBean(JobsProperties.class)
public final class JobsAdminAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobsActor steadyJobsActor(ObjectProvider<LoggedIn> loggedIn, Environment environment) {
		String application = environment.getProperty("spring.application.name", "");
		Supplier<String> ofProcess = SingletonSupplier.of(() -> LoggedIn.process(application));
		return new JobsActor(
				() -> loggedIn.orderedStream().map(LoggedIn::name).filter(Objects::nonNull).findFirst().orElse(null),
				ofProcess);
	}

	@Bean
	@ConditionalOnMissingBean
	JobActivity steadyJobsActivity(RedisConnections connections, JobsProperties properties, JobsActor actor,
			ApplicationEventPublisher events) {
		return new JobActivity(connections, properties.prefix(), actor, events::publishEvent);
	}

	@Bean
	@ConditionalOnMissingBean
	JobAudit steadyJobsAudit(RedisConnections connections, JobsProperties properties, JobActivity activity) {
		return new JobAudit(connections, properties.prefix(), activity);
	}

	@Bean
	@ConditionalOnMissingBean
	JobLocks steadyJobsLocks(RedisConnections connections, JobsProperties properties, JobActivity activity) {
		return new JobLocks(connections, properties.prefix(), activity);
	}

	@Bean
	@ConditionalOnMissingBean
	JobProcesses steadyJobsProcesses(RedisConnections connections, JobsProperties properties, JobActivity activity) {
		return new JobProcesses(connections, properties.prefix(), activity);
	}

	@Bean
	@ConditionalOnMissingBean
	JobPauses steadyJobsPauses(RedisConnections connections, JobsProperties properties, JobActivity activity) {
		return new JobPauses(connections, properties.prefix(), activity);
	}

	@Bean
	@ConditionalOnMissingBean
	OrderedJobs steadyJobsOrderedJobs(RedisConnections connections, JobsProperties properties, JobStore store,
			JobRegistry registry, PayloadCodec codec, JobActivity activity) {
		return new OrderedJobs(connections, properties.prefix(), store, registry, codec, activity);
	}

	@Bean
	@ConditionalOnMissingBean
	JobAdmin steadyJobsAdmin(RedisConnections connections, JobsProperties properties, PayloadCodec codec,
			OrderedJobs ordered, JobActivity activity) {
		return new JobAdmin(connections, properties.prefix(), codec, ordered,
				new DeadLimits(properties.dead().max(), properties.dead().age()), activity);
	}

	/**
	 * Hides values in the same way in which Spring Boot hides the values of properties.
	 */
	@Configuration(proxyBeanMethods = false)
	@Lazy
	@ConditionalOnClass(Sanitizer.class)
	static class WithActuator {

		@Bean
		@ConditionalOnMissingBean
		JobView steadyJobsView(ObjectProvider<SanitizingFunction> sanitizingFunctions) {
			Sanitizer sanitizer = new Sanitizer(sanitizingFunctions.orderedStream().toList());
			return new JobView((key, value, showsValues) -> sanitizer.sanitize(new SanitizableData(null, key, value),
					showsValues));
		}

	}

	/**
	 * Hides all values from readers who may not see values.
	 */
	@Configuration(proxyBeanMethods = false)
	@Lazy
	@ConditionalOnMissingClass("org.springframework.boot.actuate.endpoint.Sanitizer")
	static class WithoutActuator {

		@Bean
		@ConditionalOnMissingBean
		JobView steadyJobsView() {
			return new JobView((key, value, showsValues) -> (showsValues || value == null) ? value : "******");
		}

	}

	/**
	 * Finds the logged-in user through Spring Security.
	 */
	@Configuration(proxyBeanMethods = false)
	@Lazy
	@ConditionalOnClass(SecurityContextHolder.class)
	static class Security {

		@Bean
		@Order(0)
		LoggedIn steadyJobsUserOfSecurity() {
			return () -> {
				Authentication user = SecurityContextHolder.getContext().getAuthentication();
				if (user == null || !user.isAuthenticated() || user instanceof AnonymousAuthenticationToken) {
					return null;
				}
				return user.getName();
			};
		}

	}

	/**
	 * Finds the logged-in user through the servlet container.
	 */
	@Configuration(proxyBeanMethods = false)
	@Lazy
	@ConditionalOnClass({ RequestContextHolder.class, HttpServletRequest.class })
	static class Servlet {

		@Bean
		@Order(1)
		LoggedIn steadyJobsUserOfRequest() {
			return () -> {
				Principal user = (RequestContextHolder
					.getRequestAttributes() instanceof ServletRequestAttributes request)
							? request.getRequest().getUserPrincipal() : null;
				return (user != null) ? user.getName() : null;
			};
		}

	}

}
