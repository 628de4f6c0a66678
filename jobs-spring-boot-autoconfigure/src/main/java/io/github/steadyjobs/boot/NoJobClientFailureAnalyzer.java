package io.github.steadyjobs.boot;

import io.github.steadyjobs.JobClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Explains why there is no {@link JobClient} to inject. Runs before Spring Boot's own
 * analyzer, which would suggest defining such a bean.
 */
@Order(0)
class NoJobClientFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	NoJobClientFailureAnalyzer(BeanFactory beanFactory, Environment environment) {
		this.beanFactory = (ListableBeanFactory) beanFactory;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		if (cause.getBeanType() != JobClient.class || cause.getNumberOfBeansFound() > 0) {
			return null;
		}
		String needed = ((description != null) ? description : "A bean") + " required a JobClient, but there is none: ";
		if (!this.environment.getProperty("steadyjobs.enabled", Boolean.class, true)) {
			return new FailureAnalysis(needed + "'steadyjobs.enabled' is false.",
					"Set 'steadyjobs.enabled' to true, or inject ObjectProvider<JobClient> where jobs are optional.",
					cause);
		}
		String[] factories = this.beanFactory.getBeanNamesForType(RedisConnectionFactory.class, true, false);
		if (factories.length > 0) {
			return null;
		}
		return new FailureAnalysis(needed + "no bean is a RedisConnectionFactory.",
				"Do not exclude DataRedisAutoConfiguration, which makes one from 'spring.data.redis.*', or define a "
						+ "LettuceConnectionFactory.",
				cause);
	}

}
