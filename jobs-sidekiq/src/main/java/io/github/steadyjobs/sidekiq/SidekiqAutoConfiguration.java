package io.github.steadyjobs.sidekiq;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsRedisConnectionFactory;
import io.github.steadyjobs.client.JobRelay;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.sidekiq.SidekiqBridge.Times;
import io.lettuce.core.RedisURI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for jobs from and for Sidekiq.
 */
@AutoConfiguration(after = JobsAutoConfiguration.class)
@ConditionalOnBean({ RedisConnections.class, PayloadCodec.class })
@ConditionalOnBooleanProperty(name = "steadyjobs.sidekiq.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SidekiqProperties.class)
public final class SidekiqAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(SidekiqAutoConfiguration.class);

	/**
	 * The time without progress after which a bridge is declared dead. It is longer than
	 * a call usually takes, but no longer than users would want to wait.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Pattern TIMEOUT_OF_URL = Pattern.compile("[?&]timeout=", Pattern.CASE_INSENSITIVE);

	@Bean
	SidekiqRedis steadyJobsSidekiqRedis(SidekiqProperties properties, ObjectProvider<RedisConnectionFactory> all,
			@JobsRedisConnectionFactory ObjectProvider<RedisConnectionFactory> forJobs, Environment environment) {
		String namespace = (properties.namespace() != null) ? properties.namespace() : "";
		String prefix = environment.getProperty("steadyjobs.prefix", "steadyjobs");
		if (properties.url() != null) {
			LettuceConnectionFactory own = connect(properties.url(), environment);
			return new SidekiqRedis(own, own, namespace, prefix);
		}
		RedisConnectionFactory shared = forJobs.getIfAvailable(all::getObject);
		if (shared instanceof LettuceConnectionFactory lettuce && lettuce.isClusterAware()) {
			throw new InvalidConfigurationPropertyValueException("steadyjobs.sidekiq.url", null,
					"Jobs are stored in a Redis Cluster, which Sidekiq does not use. Set it to the Redis of Sidekiq, as in 'redis://localhost:6379/0'.");
		}
		return new SidekiqRedis(shared, null, namespace, prefix);
	}

	private static LettuceConnectionFactory connect(String url, Environment environment) {
		try {
			RedisURI address = RedisURI.create(url);
			LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder().apply(address);
			if (!TIMEOUT_OF_URL.matcher(url).find()) {
				Binder.get(environment)
					.bind("spring.data.redis.timeout", Duration.class)
					.ifBound(client::commandTimeout);
			}
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					LettuceConnectionFactory.createRedisConfiguration(address), client.build());
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}
		catch (IllegalArgumentException ex) {
			// Omit the value, because it may contain a password.
			throw new InvalidConfigurationPropertyValueException("steadyjobs.sidekiq.url", "…",
					"Set it to the address of a Redis, as in 'redis://user:password@localhost:6379/0', or 'rediss://…' for TLS.");
		}
	}

	@Bean
	@ConditionalOnMissingBean
	SidekiqClient steadyJobsSidekiqClient(SidekiqRedis redis, PayloadCodec codec) {
		return new SidekiqClient(redis, codec.mapper(), Clock.systemUTC());
	}

	@Bean
	@Conditional(OnQueues.class)
	SidekiqBridge steadyJobsSidekiqBridge(SidekiqRedis redis, RedisConnections connections, PayloadCodec codec,
			SidekiqProperties properties, ObjectProvider<JobListener> listeners, Environment environment) {
		Mapping mapping = Mapping.of(properties);
		if (properties.pollInterval().toMillis() <= 0) {
			throw new InvalidConfigurationPropertyValueException("steadyjobs.sidekiq.poll-interval",
					properties.pollInterval(), "Set it to 1ms or more, as in '1s'.");
		}
		Translation translation = new Translation(mapping, codec);
		JobRelay relay = new JobRelay(connections, environment.getProperty("steadyjobs.prefix", "steadyjobs"));
		BatchMover mover = new BatchMover(translation, relay, mapping.digest(), redis.aside(), Clock.systemUTC());
		logger.info("Jobs of Sidekiq's queues are moved to queues of Steady Jobs: {}", mapping);
		return new SidekiqBridge(redis, mover, translation, mapping,
				new Times(properties.pollInterval(), PATIENCE, Clock.systemUTC()),
				(failure) -> listeners.orderedStream().forEach((listener) -> tell(listener, failure)));
	}

	private static void tell(JobListener listener, Throwable failure) {
		try {
			listener.failed(null, failure);
		}
		catch (Throwable ex) {
			logger.warn("{} failed on a failure of the bridge to Sidekiq", listener.getClass().getName(), ex);
		}
	}

	/**
	 * Matches if any queue of Sidekiq is configured, unless this is a test and the jobs
	 * might belong to a server outside of it.
	 */
	static final class OnQueues extends SpringBootCondition {

		private static final String PROPERTY = "steadyjobs.sidekiq.queues";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Environment environment = context.getEnvironment();
			boolean any = !Binder.get(environment)
				.bind(PROPERTY, Bindable.mapOf(String.class, String.class))
				.orElse(Map.of())
				.isEmpty();
			if (!any) {
				return ConditionOutcome.noMatch("found no " + PROPERTY);
			}
			// jobs-test sets these properties for @AutoConfigureJobs. A bridge in a test
			// would take jobs that the application is supposed to run.
			if (environment.getProperty("spring.test.jobs.in-memory", Boolean.class, false)) {
				return ConditionOutcome.noMatch("@AutoConfigureJobs keeps the jobs of this test in memory");
			}
			if (environment.containsProperty("spring.test.jobs.mode")
					&& environment.containsProperty("steadyjobs.sidekiq.url")) {
				return ConditionOutcome.noMatch("@AutoConfigureJobs takes no jobs from 'steadyjobs.sidekiq.url'");
			}
			return ConditionOutcome.match("found " + PROPERTY);
		}

	}

}
