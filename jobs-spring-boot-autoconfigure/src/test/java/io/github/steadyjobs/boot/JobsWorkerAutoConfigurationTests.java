package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.JobLogContext;
import io.github.steadyjobs.ordered.ShardSplitter;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.JobExecution;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.server.WorkerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsWorkerAutoConfiguration} that do not need Redis, because no bean
 * has jobs (SK-01).
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsWorkerAutoConfigurationTests {

	private static final List<Class<?>> BEANS = List.of(RetryDelay.class, JobLogContext.class, JobExecution.class,
			CapsulePlan.class, Launcher.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsWorkerAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1");

	@Test
	void beansWhenNothingIsConfiguredAreThere() {
		this.runner.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type)));
	}

	@Test
	void beansWhenApplicationUsesTheNamesOfSpringBatchMeetNoneOfThem() {
		this.runner.withBean("jobRegistry", String.class, () -> "of Spring Batch")
			.withBean("jobRepository", String.class, () -> "of Spring Batch")
			.withBean("jobOperator", String.class, () -> "of Spring Batch")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JobRegistry.class));
	}

	@Test
	void beansHaveNamesThatNobodyElseGives() {
		this.runner.run((context) -> {
			String[] names = context.getBeanFactory().getBeanDefinitionNames();
			assertThat(names)
				.filteredOn(
						(name) -> String.valueOf(context.getBeanFactory().getBeanDefinition(name).getFactoryBeanName())
							.startsWith("io.github.steadyjobs."))
				.isNotEmpty()
				.allMatch((name) -> name.startsWith("steadyJobs"));
		});
	}

	@ParameterizedTest
	@MethodSource
	<T> void beanWhenUserHasOneBacksOff(Class<T> type, T own) {
		this.runner.withBean("own", type, () -> own).run((context) -> {
			assertThat(context).hasSingleBean(type);
			assertThat(context.getBean(type)).isSameAs(own);
		});
	}

	static Stream<Object[]> beanWhenUserHasOneBacksOff() {
		RedisConnections connections = new RedisConnections(new LettuceConnectionFactory());
		PayloadCodec codec = new PayloadCodec(JobJson.builder().build());
		JobRegistry registry = new JobRegistry(new DefaultListableBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD,
				JobJson.builder().build());
		JobExecution execution = new JobExecution(registry, codec, List.of(), List.of(), RetryDelay.sidekiq(),
				List.of(), List.of());
		Supplier<WorkerSettings> settings = () -> {
			throw new IllegalStateException("Not to be asked");
		};
		return Stream.of(new Object[] { RetryDelay.class, (RetryDelay) (count, job, failure) -> Duration.ZERO },
				new Object[] { JobLogContext.class, new JobLogContext() },
				new Object[] { ShardSplitter.class, (ShardSplitter) (shards) -> Map.of() },
				new Object[] { JobExecution.class, execution }, new Object[] { Launcher.class,
						new Launcher(connections, "own", execution, settings, Thread::new, false) });
	}

	@Test
	void retryDelayWhenUserHasOneForSingleJobsOnlyIsTheDefault() {
		this.runner.withUserConfiguration(BackoffOfOneJob.class).run((context) -> {
			assertThat(context).getBeans(RetryDelay.class).hasSize(2);
			assertThat(context.getBean(JobExecution.class).retryDelay())
				.isSameAs(context.getBean("steadyJobsRetryDelay"));
		});
	}

	@Test
	void beansWhenWorkerIsSwitchedOffAreAbsentAndTheClientStays() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			assertThat(BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
			assertThat(context).hasSingleBean(JobClient.class);
		});
	}

	@Test
	void beansWhenJobsAreSwitchedOffAreAbsent() {
		this.runner.withPropertyValues("steadyjobs.enabled=false", "steadyjobs.worker.enabled=true")
			.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type)));
	}

	@Test
	void beansWhenMicrometerAndHealthAreAbsentAreThere() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
			.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type)));
	}

	@Test
	void launcherWhenNoBeanHasAJobStartsNoWorkers(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context.getBean(Launcher.class).isRunning()).isFalse();
			assertThat(output).contains("No bean has a @Job, so no workers are started");
		});
	}

	@Test
	void shutdownTimeoutWhenNothingIsConfiguredIsSilent(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output).doesNotContain("WARN"));
	}

	@Test
	void shutdownTimeoutWhenTooLongForSpringWarns(CapturedOutput output) {
		this.runner.withPropertyValues("steadyjobs.shutdown-timeout=1m")
			.run((context) -> assertThat(output).contains("Set 'spring.lifecycle.timeout-per-shutdown-phase' to 65s"));
	}

	@Test
	void shutdownTimeoutWhenInitializationIsLazyWarns(CapturedOutput output) {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=20s")
			.run((context) -> assertThat(output).contains("or 'steadyjobs.shutdown-timeout' to 15s or less"));
	}

	@Configuration(proxyBeanMethods = false)
	static class BackoffOfOneJob {

		@Bean(defaultCandidate = false)
		RetryDelay hourly() {
			return (count, job, failure) -> Duration.ofHours(1);
		}

	}

}
