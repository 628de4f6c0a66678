package io.github.steadyjobs.test.boot;

import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.JobExecution;
import io.github.steadyjobs.server.JobRunner;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration for {@link AutoConfigureJobs}.
 */
@AutoConfiguration(before = { JobsAutoConfiguration.class, DataRedisAutoConfiguration.class },
		beforeName = "io.github.steadyjobs.embedded.EmbeddedRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "steadyjobs.enabled", matchIfMissing = true)
final class JobsTestAutoConfiguration {

	@Bean
	Recordings steadyJobsRecordings(Environment environment) {
		return new Recordings(
				environment.getProperty("steadyjobs.sequential.limit", Integer.class, JobStore.MOST_PAYLOADS));
	}

	@Bean
	RecordedJobs steadyJobsRecordedJobs(Recordings recordings, JobRegistry registry, PayloadCodec codec,
			ObjectProvider<JobRuns> runs, ObjectProvider<PreparingJobClient> client) {
		return new RecordedJobs(recordings, new Expectations(registry, codec, recordings), runs.getIfAvailable(),
				client::getObject, false);
	}

	/**
	 * Keeps jobs in memory, and runs them from there.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(JobsContextCustomizerFactory.IN_MEMORY)
	static class InMemory {

		/**
		 * The auto-configuration of jobs requires a connection factory. This factory is
		 * not injected anywhere else.
		 */
		@Bean(defaultCandidate = false)
		NoRedis steadyJobsNoRedis() {
			return new NoRedis();
		}

		@Bean
		@ConditionalOnMissingBean
		RedisConnections steadyJobsRedisConnections(@Qualifier("steadyJobsNoRedis") NoRedis noRedis) {
			return new RedisConnections(noRedis);
		}

		@Bean
		@ConditionalOnMissingBean
		JobStore steadyJobsStore(RedisConnections connections) {
			return new JobStore(connections, "unused");
		}

		@Bean
		@ConditionalOnMissingBean(JobClient.class)
		PreparingJobClient steadyJobsClient(Recordings recordings, PayloadCodec codec, JobRegistry registry,
				ObjectProvider<ClientInterceptor> interceptors, ObjectProvider<EnqueueListener> listeners,
				JobClientSettings settings, JobRuns runs, Environment environment) {
			JobClientSettings timed = new JobClientSettings(settings.payloadLimit(), recordings.clock(),
					settings.lockTtl(), settings.dryRun(), settings.sources(), settings.doubtful(), settings.outage(),
					settings.observer());
			PreparingJobClient client = JobClientFactory.create(
					new RecordingStorage(new RecordingStorage.InMemory(recordings, codec), recordings, codec), codec,
					registry, interceptors.orderedStream().toList(), listeners.orderedStream().toList(), timed);
			return isInline(environment) ? new InlineJobClient(client, runs) : client;
		}

		private static boolean isInline(Environment environment) {
			return environment.getRequiredProperty(JobsContextCustomizerFactory.MODE, Mode.class) == Mode.INLINE;
		}

		@Bean
		JobRuns steadyJobsRuns(Recordings recordings, ObjectProvider<JobRunner> runner, JobRegistry registry,
				PayloadCodec codec, ObjectProvider<PlatformTransactionManager> transactionManagers,
				Environment environment) {
			return new JobRuns(recordings, runner::getObject, registry, codec, transactionManagers,
					isInline(environment));
		}

		@Bean
		@ConditionalOnMissingBean
		JobLogContext steadyJobsLogContext() {
			return new JobLogContext();
		}

		@Bean
		JobRunner steadyJobsRunner(JobRegistry registry, PayloadCodec codec,
				ObjectProvider<ServerInterceptor> interceptors, ObjectProvider<ConsistencySource> sources,
				ObjectProvider<RetryDelay> retryDelay, ObjectProvider<JobListener> listeners, Recordings recordings,
				Environment environment) {
			JobExecution execution = new JobExecution(registry, codec, interceptors.orderedStream().toList(),
					sources.orderedStream().toList(), retryDelay.getIfAvailable(RetryDelay::sidekiq),
					listeners.orderedStream().toList(), List.of());
			Failures failures = new Failures(environment.getProperty("steadyjobs.retry.max", Integer.class, 25),
					environment.getProperty("steadyjobs.retry.backtrace", Integer.class, 0));
			return new JobRunner(execution, failures, recordings.clock());
		}

	}

	/**
	 * Records jobs that are stored in Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = JobsContextCustomizerFactory.MODE, havingValue = "REAL")
	static class Real {

		@Bean
		@ConditionalOnMissingBean(JobClient.class)
		PreparingJobClient steadyJobsClient(JobStore store, Recordings recordings, PayloadCodec codec,
				JobRegistry registry, ObjectProvider<ClientInterceptor> interceptors,
				ObjectProvider<EnqueueListener> listeners, JobClientSettings settings) {
			return JobClientFactory.create(new RecordingStorage(store, recordings, codec), codec, registry,
					interceptors.orderedStream().toList(), listeners.orderedStream().toList(), settings);
		}

	}

	/**
	 * Starts a Redis for jobs, no matter which one is configured for production.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = JobsContextCustomizerFactory.MODE, havingValue = "REAL")
	@ConditionalOnClass(EmbeddedRedisServer.class)
	@ConditionalOnMissingBean({ DataRedisConnectionDetails.class, RedisConnectionFactory.class })
	static class EmbeddedRedis {

		@Bean
		EmbeddedRedisServer steadyJobsEmbeddedRedis() {
			return EmbeddedRedisServer.start();
		}

		// The doctor recognizes the name of this bean, and does not warn that the server
		// does not keep its data.
		@Bean
		DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedisServer server) {
			return new DataRedisConnectionDetails() {

				@Override
				public Standalone getStandalone() {
					return Standalone.of(server.host(), server.port());
				}

			};
		}

	}

}
