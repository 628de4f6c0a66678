package io.github.steadyjobs.boot;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Chooses the connection factory for the Redis that stores jobs.
 */
final class ConnectionFactoryChoice {

	private static final String LETTUCE = "io.lettuce.core.RedisClient";

	private static final String CLIENT_TYPE = "spring.data.redis.client-type";

	private static final String FOR_JOBS = "for jobs beside it: @Bean(defaultCandidate = false) @JobsRedisConnectionFactory.";

	private ConnectionFactoryChoice() {
	}

	/**
	 * Choose a factory.
	 * @param all the factories that are candidates for injection
	 * @param forJobs the factories marked with {@link JobsRedisConnectionFactory}
	 * @param environment the properties
	 * @return the Lettuce connection factory to use for jobs
	 * @throws FailureAnalyzedException if there is no such factory
	 */
	static RedisConnectionFactory choose(ObjectProvider<RedisConnectionFactory> all,
			ObjectProvider<RedisConnectionFactory> forJobs, Environment environment) {
		try {
			RedisConnectionFactory chosen = forJobs.getIfAvailable(all::getObject);
			if (!(chosen instanceof LettuceConnectionFactory)) {
				throw notLettuce(chosen, environment);
			}
			return chosen;
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new FailureAnalyzedException(
					"Jobs could be stored in the Redis of more than one connection factory: '%s'."
						.formatted(String.join("', '", ex.getBeanNamesFound())),
					"Mark one, and only one, with @JobsRedisConnectionFactory, or with @Primary if the rest of the application uses it too. To start without jobs, set 'steadyjobs.enabled' to false.");
		}
	}

	private static FailureAnalyzedException notLettuce(RedisConnectionFactory chosen, Environment environment) {
		String action = "Define a LettuceConnectionFactory in its place, or one " + FOR_JOBS;
		if (environment.containsProperty(CLIENT_TYPE)) {
			action = "Set '%s' to 'lettuce', or remove it. To keep it for the rest of the application, define a LettuceConnectionFactory %s"
				.formatted(CLIENT_TYPE, FOR_JOBS);
		}
		if (!ClassUtils.isPresent(LETTUCE, null)) {
			action = "Put io.lettuce:lettuce-core on the class path, which comes with Steady Jobs unless it is excluded.";
		}
		return new FailureAnalyzedException(
				"Jobs need Lettuce, the default client of Spring Data Redis, but the connection factory is a %s."
					.formatted(ClassUtils.getShortName(chosen.getClass())),
				action);
	}

}
