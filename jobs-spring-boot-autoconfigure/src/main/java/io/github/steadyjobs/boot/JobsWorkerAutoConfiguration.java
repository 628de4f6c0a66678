package io.github.steadyjobs.boot;

import java.util.Map;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.boot.WorkerProperties.RemoteStop;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.FetchFilter;
import io.github.steadyjobs.server.Gate;
import io.github.steadyjobs.server.JobExecution;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.server.QueueSelector;
import io.github.steadyjobs.server.ShardSplitter;
import io.github.steadyjobs.server.WorkerSettings;
import io.github.steadyjobs.server.WorkerSettings.Breaker;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.server.WorkerSettings.Sharding;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for running background jobs.
 */
@AutoConfiguration(after = JobsAutoConfiguration.class)
@ConditionalOnBean({ RedisConnections.class, JobRegistry.class })
@ConditionalOnBooleanProperty(name = "steadyjobs.worker.enabled", matchIfMissing = true)
public final class JobsWorkerAutoConfiguration {

	@Bean
	static LazyInitializationExcludeFilter steadyJobsLauncherEagerly() {
		// No other bean needs these, and without them no job runs.
		return (name, definition, type) -> Launcher.class.isAssignableFrom(type)
				|| ShutdownTimeoutCheck.class.isAssignableFrom(type) || ProcessSignals.class.isAssignableFrom(type);
	}

	@Bean
	@ConditionalOnMissingBean
	RetryDelay steadyJobsRetryDelay() {
		return RetryDelay.sidekiq();
	}

	@Bean
	@ConditionalOnMissingBean
	JobLogContext steadyJobsLogContext() {
		return new JobLogContext();
	}

	@Bean
	@ConditionalOnMissingBean
	JobExecution steadyJobsExecution(JobRegistry registry, PayloadCodec codec,
			ObjectProvider<ServerInterceptor> interceptors, ObjectProvider<ConsistencySource> sources,
			RetryDelay retryDelay, ObjectProvider<JobListener> listeners, ObjectProvider<Gate> gates) {
		return new JobExecution(registry, codec, interceptors.orderedStream().toList(),
				sources.orderedStream().toList(), retryDelay, listeners.orderedStream().toList(),
				gates.orderedStream().toList());
	}

	@Bean
	CapsulePlan steadyJobsCapsulePlan(JobsProperties properties, JobRegistry registry,
			Map<String, QueueSelector> selectors, ObjectProvider<FetchFilter> filters) {
		return new CapsulePlan(properties, registry, selectors, filters.orderedStream().toList());
	}

	@Bean
	JobThreads steadyJobsThreads(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		return JobThreads.create(Threading.VIRTUAL.isActive(environment), beanFactory.getBeanClassLoader());
	}

	@Bean
	@ConditionalOnMissingBean
	ShardSplitter steadyJobsShardSplitter(JobsProperties properties) {
		return properties.sequential().splitter();
	}

	@Bean
	@ConditionalOnMissingBean
	Launcher steadyJobsLauncher(RedisConnections connections, JobExecution execution, CapsulePlan plan,
			ShardSplitter splitter, JobThreads threads, JobsProperties properties,
			ObjectProvider<BuildProperties> build, ConfigurableApplicationContext context) {
		WorkerProperties worker = properties.worker();
		// Now, so that a mistake is found even if workers start later.
		Map<Target, Breaker> breakers = BreakerSpec.readAll(properties);
		Launcher launcher = new Launcher(connections, properties.prefix(), execution,
				() -> settings(plan, splitter, properties, breakers,
						oversight(properties, build.getIfAvailable(), context.getEnvironment())),
				threads.factory(), worker.autoStartup());
		if (worker.remoteStop() == RemoteStop.APPLICATION) {
			launcher.onStopRequest(context::close);
		}
		return launcher;
	}

	private static WorkerSettings settings(CapsulePlan plan, ShardSplitter splitter, JobsProperties properties,
			Map<Target, Breaker> breakers, Oversight oversight) {
		return new WorkerSettings(plan.capsules(), properties.shutdownTimeout(), liveness(properties.liveness()),
				new DeadLimits(properties.dead().max(), properties.dead().age()),
				new Failures(properties.retry().max(), properties.retry().backtrace(), breakers),
				new Sharding(Order.valueOf(properties.sequential().order().name()), splitter), oversight);
	}

	private static Oversight oversight(JobsProperties properties, @Nullable BuildProperties build,
			Environment environment) {
		return properties.runs()
			.oversight(environment.getProperty("spring.application.name", ""),
					RunProperties.version(build, environment), properties.jobs());
	}

	private static Liveness liveness(JobsProperties.Liveness properties) {
		return new Liveness(properties.beat(), properties.deathAfter(), properties.maxCrashes());
	}

	@Bean
	WorkerAvailability steadyJobsWorkerAvailability(Launcher launcher, ApplicationContext context) {
		return new WorkerAvailability(launcher, context);
	}

	@Bean
	@ConditionalOnBooleanProperty("steadyjobs.worker.signals")
	ProcessSignals steadyJobsProcessSignals(Launcher launcher) {
		return new ProcessSignals(launcher);
	}

	@Bean
	ShutdownTimeoutCheck steadyJobsShutdownTimeoutCheck(JobsProperties properties, Environment environment) {
		return new ShutdownTimeoutCheck(properties, environment);
	}

}
