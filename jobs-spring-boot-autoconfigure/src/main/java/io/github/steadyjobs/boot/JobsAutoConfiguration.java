package io.github.steadyjobs.boot;

import java.time.Clock;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.EnqueueObserver;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for enqueueing background jobs.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({ JobClient.class, RedisConnectionFactory.class })
@Conditional(JobsAutoConfiguration.OnAnyConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "steadyjobs.enabled", matchIfMissing = true)
@EnableConfigurationProperties(JobsProperties.class)
public final class JobsAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(JobsAutoConfiguration.class);

	JobsAutoConfiguration(Environment environment) {
		UnknownProperties.warn(environment);
	}

	@Bean
	static BeanPostProcessor steadyJobsTransactionWatch() {
		TransactionExecutionListener listener = JobClientFactory.transactionListener();
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				if (bean instanceof ConfigurableTransactionManager transactionManager) {
					transactionManager.addListener(listener);
				}
				return bean;
			}

		};
	}

	@Bean
	@ConditionalOnMissingBean
	RedisConnections steadyJobsRedisConnections(ObjectProvider<RedisConnectionFactory> all,
			@JobsRedisConnectionFactory ObjectProvider<RedisConnectionFactory> forJobs, Environment environment) {
		// Choose a factory before loading the class of the connections, because without
		// Lettuce that class cannot be loaded.
		RedisConnectionFactory chosen = ConnectionFactoryChoice.choose(all, forJobs, environment);
		return new RedisConnections(chosen);
	}

	/**
	 * Holds the mapper for the arguments of jobs. The mapper itself is not a bean,
	 * because Spring Boot would then create no mapper for the application.
	 */
	@Bean
	@ConditionalOnMissingBean
	PayloadCodec steadyJobsPayloadCodec(ObjectProvider<JobsJsonMapperBuilderCustomizer> customizers) {
		JsonMapper.Builder builder = JobJson.builder();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return new PayloadCodec(builder.build());
	}

	@Bean
	@ConditionalOnMissingBean
	JobRegistry steadyJobsRegistry(ConfigurableListableBeanFactory beanFactory, JobsProperties properties,
			PayloadCodec codec) {
		return new JobRegistry(beanFactory, JobOverrides.jobs(properties.jobs()), properties.idempotence().defaults(),
				codec.mapper());
	}

	@Bean
	@ConditionalOnMissingClass("io.github.steadyjobs.recurring.RecurringJobs")
	MissingRecurring steadyJobsMissingRecurring(JobRegistry registry, JobsProperties properties) {
		return new MissingRecurring(registry, properties.recurring());
	}

	@Bean
	@ConditionalOnMissingBean
	JobStore steadyJobsStore(RedisConnections connections, JobsProperties properties) {
		logger.info("Jobs are stored in Redis at {}", connections.describe(properties.prefix()));
		return new JobStore(connections, properties.prefix(), properties.sequential().limit());
	}

	@Bean
	@ConditionalOnMissingBean
	QueueMonitor steadyJobsQueueMonitor(RedisConnections connections, JobsProperties properties) {
		return new QueueMonitor(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean
	PauseStore steadyJobsPauseStore(RedisConnections connections, JobsProperties properties) {
		return new PauseStore(connections, properties.prefix());
	}

	@Bean
	@ConditionalOnMissingBean(JobClient.class)
	PreparingJobClient steadyJobsClient(JobStore store, PayloadCodec codec, JobRegistry registry,
			ObjectProvider<ClientInterceptor> interceptors, ObjectProvider<EnqueueListener> listeners,
			JobClientSettings settings) {
		return JobClientFactory.create(store, codec, registry, interceptors.orderedStream().toList(),
				listeners.orderedStream().toList(), settings);
	}

	@Bean
	@ConditionalOnMissingBean
	JobClientSettings steadyJobsClientSettings(JobsProperties properties, ObjectProvider<ConsistencySource> sources,
			ConfigurableApplicationContext context, ObjectProvider<Launcher> launcher,
			ObjectProvider<EnqueueObserver> observer) {
		return new JobClientSettings(properties.payloadLimit(), Clock.systemUTC(), properties.idempotence().ttl(),
				properties.idempotence().dryRun(), sources.orderedStream().toList(), new OtherQueues(context, launcher),
				properties.client().outage(properties.shutdownTimeout()),
				observer.getIfAvailable(() -> EnqueueObserver.NONE));
	}

	/**
	 * Also matches if there are several factories, or if some of them are not candidates
	 * for injection elsewhere. If no factory can be chosen, the start fails later with an
	 * error, whereas if this condition did not match, jobs would silently not run.
	 */
	static final class OnAnyConnectionFactory extends SpringBootCondition implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String[] names = Objects.requireNonNull(context.getBeanFactory())
				.getBeanNamesForType(RedisConnectionFactory.class, true, false);
			return (names.length > 0) ? ConditionOutcome.match("found connection factories " + List.of(names))
					: ConditionOutcome.noMatch("found no RedisConnectionFactory");
		}

	}

}
