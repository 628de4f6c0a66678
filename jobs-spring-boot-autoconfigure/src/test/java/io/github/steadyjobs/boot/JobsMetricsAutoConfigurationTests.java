package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.observation.EnqueueMetrics;
import io.github.steadyjobs.observation.JobRunMetrics;
import io.github.steadyjobs.observation.QueueMetrics;
import io.github.steadyjobs.observation.WorkerMetrics;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsMetricsAutoConfiguration} without a Redis.
 */
class JobsMetricsAutoConfigurationTests {

	private static final List<Class<?>> CLIENT_BEANS = List.of(EnqueueMetrics.class, QueueMetrics.class);

	private static final List<Class<?>> WORKER_BEANS = List.of(JobRunMetrics.class, WorkerMetrics.class);

	private static final List<Class<?>> BEANS = Stream.of(CLIENT_BEANS, WORKER_BEANS)
		.<Class<?>>flatMap(List::stream)
		.toList();

	private final ApplicationContextRunner withoutRegistry = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsWorkerAutoConfiguration.class, JobsMetricsAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1");

	private final ApplicationContextRunner runner = this.withoutRegistry
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class));

	@Test
	void beansWhenThereIsARegistryAreThere() {
		this.runner.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type)));
	}

	@Test
	void beansWhenThereAreTwoRegistriesUseTheComposite() {
		this.runner.withBean("another", SimpleMeterRegistry.class)
			.withBean("third", SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(EnqueueMetrics.class));
	}

	@Test
	void beansWhenThereIsNoRegistryAreAbsent() {
		this.withoutRegistry.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
		});
	}

	@Test
	void beansWhenMicrometerIsAbsentAreAbsent() {
		this.withoutRegistry.withClassLoader(new FilteredClassLoader("io.micrometer")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
		});
	}

	@Test
	void beansWhenJobsAreSwitchedOffAreAbsent() {
		this.runner.withPropertyValues("steadyjobs.enabled=false")
			.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type)));
	}

	@Test
	void beansWhenWorkerIsSwitchedOffAreThoseOfTheClient() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			assertThat(CLIENT_BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type));
			assertThat(WORKER_BEANS).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
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
		MeterRegistry registry = new SimpleMeterRegistry();
		RedisConnections connections = new RedisConnections(new LettuceConnectionFactory());
		QueueMonitor monitor = new QueueMonitor(connections, "own");
		return Stream.of(new Object[] { EnqueueMetrics.class, new EnqueueMetrics(registry) },
				new Object[] { JobRunMetrics.class, new JobRunMetrics(registry) },
				new Object[] { QueueMetrics.class,
						new QueueMetrics(monitor, new ProcessStore(connections, "own"),
								new PauseStore(connections, "own"), Set::of) },
				new Object[] { WorkerMetrics.class, new WorkerMetrics(List::of, List::of) });
	}

	@Test
	void queueMetersWhenRedisIsAwayHaveNoValue() {
		this.runner.run((context) -> assertThat(
				context.getBean(MeterRegistry.class).get("jobs.queue.size").tag("queue", "default").gauge().value())
			.isNaN());
	}

	@Test
	void queueMetersWhenWorkerIsSwitchedOffShowConfiguredQueues() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.queues.mail.weight=1")
			.run((context) -> assertThat(
					context.getBean(MeterRegistry.class).get("jobs.queue.size").tag("queue", "mail").gauge())
				.isNotNull());
	}

}
