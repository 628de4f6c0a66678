package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.boot.WorkerProperties.RemoteStop;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.ordered.ShardAssignment;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.ordered.ShardSplitter;
import io.github.steadyjobs.pause.PauseGate;
import io.github.steadyjobs.pause.PauseGate.Limit;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.FetchFilter;
import io.github.steadyjobs.server.JobExecution;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.server.QueueSelector;
import io.github.steadyjobs.server.WorkerSettings;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for running background jobs.
 */
@AutoConfiguration(after = JobsAutoConfiguration.class)
@ConditionalOnBean(JobsProperties.class)
@ConditionalOnBooleanProperty(name = "steadyjobs.worker.enabled", matchIfMissing = true)
public final class JobsWorkerAutoConfiguration {

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
			RetryDelay retryDelay, ObjectProvider<JobListener> listeners, PauseStore pauses, JobsProperties properties,
			ObjectProvider<Gate.Maker> gates) {
		// The limits are read now, so that a mistake is found even if workers start
		// later.
		Map<Target, Limit> limits = BreakerSpec.readAll(properties);
		Gate.Maker ofPauses = (worker) -> new PauseGate(pauses, registry, limits, worker);
		return new JobExecution(registry, codec, interceptors.orderedStream().toList(),
				sources.orderedStream().toList(), retryDelay, listeners.orderedStream().toList(),
				Stream.concat(Stream.of(ofPauses), gates.orderedStream()).toList());
	}

	@Bean
	CapsulePlan steadyJobsCapsulePlan(JobsProperties properties, JobRegistry registry,
			Map<String, QueueSelector> selectors, ObjectProvider<FetchFilter> filters) {
		return new CapsulePlan(properties, registry, selectors, filters.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	ShardSplitter steadyJobsShardSplitter(JobsProperties properties) {
		return properties.sequential().splitter();
	}

	@Bean
	ShardAssignment steadyJobsShardAssignment(RedisConnections connections, JobsProperties properties,
			ShardSplitter splitter) {
		return new ShardAssignment(new ShardRegistry(connections, properties.prefix()), splitter);
	}

	@Bean
	WorkerEvent.Listener steadyJobsShardCheck(ShardAssignment shards, ObjectProvider<Launcher> launcher) {
		return (event) -> {
			if (event instanceof WorkerEvent.Beat && !shards.isConfirmed()) {
				launcher.ifAvailable(Launcher::restart);
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean
	Launcher steadyJobsLauncher(RedisConnections connections, JobExecution execution, CapsulePlan plan,
			ShardAssignment shards, JobsProperties properties, ObjectProvider<BuildProperties> build,
			ConfigurableApplicationContext context) {
		Environment environment = context.getEnvironment();
		ShutdownTimeoutCheck.warn(properties, environment);
		WorkerProperties worker = properties.worker();
		Launcher launcher = new Launcher(connections, properties.prefix(), execution,
				() -> settings(Capsule.serving(plan.capsules(), shards::assign), properties,
						oversight(properties, build.getIfAvailable(), environment)),
				threads(Threading.VIRTUAL.isActive(environment), context.getBeanFactory().getBeanClassLoader()),
				worker.autoStartup());
		if (worker.remoteStop() == RemoteStop.APPLICATION) {
			launcher.onStopRequest(context::close);
		}
		return launcher;
	}

	/**
	 * Create a factory for the threads that run jobs. These threads have the class loader
	 * of the application's classes, which changes when the development tools restart the
	 * application.
	 */
	private static ThreadFactory threads(boolean virtual, @Nullable ClassLoader classLoader) {
		ThreadFactory factory = virtual ? new VirtualThreadTaskExecutor().getVirtualThreadFactory() : Thread::new;
		return (task) -> {
			Thread thread = factory.newThread(task);
			thread.setContextClassLoader(classLoader);
			return thread;
		};
	}

	private static WorkerSettings settings(List<Capsule> capsules, JobsProperties properties, Oversight oversight) {
		return new WorkerSettings(capsules, properties.shutdownTimeout(), liveness(properties.liveness()),
				new DeadLimits(properties.dead().max(), properties.dead().age()),
				new Failures(properties.retry().max(), properties.retry().backtrace()),
				Order.valueOf(properties.sequential().order().name()), oversight);
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
	@ImportRuntimeHints(ProcessSignals.Hints.class)
	ProcessSignals steadyJobsProcessSignals(Launcher launcher) {
		return new ProcessSignals(launcher);
	}

}
