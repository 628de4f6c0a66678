package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Stopped;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.PayloadTooLargeException;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.admin.OperatorAction;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.ConfigurableTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link JobsAutoConfiguration} (LK-30). They need no Redis, because a
 * connection is opened only when it is used.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsAutoConfigurationTests {

	private static final List<Class<?>> BEANS = List.of(JobsProperties.class, RedisConnections.class,
			PayloadCodec.class, JobRegistry.class, JobStore.class, QueueMonitor.class, PauseStore.class, JobAudit.class,
			JobLocks.class, JobProcesses.class, OrderedJobs.class, JobClient.class, JobsActor.class, JobActivity.class,
			JobView.class);

	private final ApplicationContextRunner withoutRedis = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JobsAutoConfiguration.class, JobsAdminAutoConfiguration.class,
				JobsRecurringAutoConfiguration.class, JobsWorkerAutoConfiguration.class,
				JobsHistoryAutoConfiguration.class, JobsMetricsAutoConfiguration.class,
				JobsHealthAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1");

	private final ApplicationContextRunner runner = this.withoutRedis
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

	@Test
	void beansOfOperatorsAreCreatedWhenTheyAreUsed() {
		this.runner.run((context) -> {
			assertThat(List.of("steadyJobsAdmin", "steadyJobsHistory", "steadyJobsUserOfSecurity",
					"steadyJobsUserOfRequest"))
				.allMatch(context::containsBeanDefinition)
				.noneMatch(context.getBeanFactory()::containsSingleton);
			assertThat(context.getBean(JobAdmin.class)).isNotNull();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.actuate.endpoint.Sanitizer", "nothing" })
	void viewHidesValuesWithActuatorAndWithoutIt(String missing) {
		OperatorAction revival = new OperatorAction("1", "ada", "revive", Map.of("key", "secret"), 1, Instant.EPOCH,
				Instant.EPOCH);
		this.runner.withClassLoader(new FilteredClassLoader(missing)).run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("steadyJobsView")).isFalse();
			JobView view = context.getBean(JobView.class);
			assertThat(view.of(revival, false)).containsEntry("target", Map.of("key", "******"));
			assertThat(view.of(revival, true)).containsEntry("target", Map.of("key", "secret"));
		});
	}

	@Test
	void beansWhenNothingIsConfiguredAreThere() {
		this.runner.run((context) -> assertThat(BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type)));
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
		JobStore store = new JobStore(connections, "own");
		JobRegistry registry = new JobRegistry(new DefaultListableBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD,
				JobJson.builder().build());
		JobClient client = JobClientFactory.create(store, codec, registry, List.of(), List.of(),
				JobClientSettings.DEFAULTS);
		JobsActor actor = new JobsActor(() -> null, () -> "own");
		return Stream.of(new Object[] { RedisConnections.class, connections },
				new Object[] { PayloadCodec.class, codec }, new Object[] { JobRegistry.class, registry },
				new Object[] { JobStore.class, store },
				new Object[] { QueueMonitor.class, new QueueMonitor(connections, "own") },
				new Object[] { PauseStore.class, new PauseStore(connections, "own") },
				new Object[] { JobAudit.class, new JobAudit(connections, "own") },
				new Object[] { JobLocks.class, new JobLocks(connections, "own") },
				new Object[] { JobProcesses.class, new JobProcesses(connections, "own") },
				new Object[] { JobView.class, new JobView((key, value, showsValues) -> value) },
				new Object[] { JobsActor.class, actor },
				new Object[] { JobActivity.class, new JobActivity(connections, "own", actor, (action) -> {
				}) }, new Object[] { OrderedJobs.class, new OrderedJobs(connections, "own", store, registry, codec) },
				new Object[] { JobClient.class, client });
	}

	@Test
	void transactionManagerWhenThereIsOneTellsClientsOfCommits() {
		ConfigurableTransactionManager transactionManager = mock();
		this.runner.withBean(ConfigurableTransactionManager.class, () -> transactionManager)
			.run((context) -> verify(transactionManager).addListener(any()));
	}

	@Test
	void beansWhenSwitchedOffAreAbsent() {
		this.runner.withPropertyValues("steadyjobs.enabled=false").run(this::hasNoBeanOfOurs);
	}

	@Test
	void beansWhenCoreIsAbsentAreAbsent() {
		this.runner.withClassLoader(new FilteredClassLoader(JobClient.class)).run(this::hasNoBeanOfOurs);
	}

	@Test
	void beansWhenSpringDataRedisIsAbsentAreAbsent() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.run(this::hasNoBeanOfOurs);
	}

	@Test
	void beansWhenNoRedisIsConfiguredAreAbsent() {
		this.withoutRedis.run(this::hasNoBeanOfOurs);
	}

	@Test
	@DisplayName("LK-35: the connection factory may be a bean defined by the application")
	void beansWhenRedisIsTheUsersOwnBeanAreThere() {
		this.withoutRedis.withBean(LettuceConnectionFactory.class)
			.run((context) -> assertThat(context).hasSingleBean(JobClient.class));
	}

	@Test
	void clientWhenFactoryHasTheNameForVirtualThreadsIsThere() {
		this.withoutRedis.withBean("redisConnectionFactoryVirtualThreads", LettuceConnectionFactory.class)
			.run((context) -> assertThat(context).hasSingleBean(JobClient.class));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void clientWhenVirtualThreadsAreOnIsThere() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(JobClient.class)
				.hasBean("redisConnectionFactoryVirtualThreads"));
	}

	@Test
	void mapperDoesNotKeepSpringBootFromMakingTheApplications() {
		this.runner.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class)).run((context) -> {
			assertThat(context).hasSingleBean(JsonMapper.class);
			assertThat(context.getBean(PayloadCodec.class).mapper()).isNotSameAs(context.getBean(JsonMapper.class));
		});
	}

	@Test
	void mapperIsNotTouchedByPropertiesOfTheWebLayer() {
		this.runner.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
			.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE")
			.run((context) -> {
				assertThat(write(context.getBean(JsonMapper.class))).isEqualTo("{\"first_name\":\"ada\"}");
				assertThat(write(context.getBean(PayloadCodec.class).mapper())).isEqualTo("{\"firstName\":\"ada\"}");
			});
	}

	@Test
	void mapperWhenThereAreCustomizersAppliesThemInOrder() {
		this.runner.withUserConfiguration(Customizers.class)
			.run((context) -> assertThat(write(context.getBean(PayloadCodec.class).mapper()))
				.isEqualTo("{\"first-name\":\"ada\"}"));
	}

	@Test
	void clientCallsInterceptorsInOrder() {
		this.runner.withUserConfiguration(Interceptors.class).run((context) -> {
			EnqueueResult result = context.getBean(JobClient.class).enqueue(JobRequest.named("a"));
			assertThat(result).isInstanceOf(Stopped.class);
			assertThat(context.getBean(Interceptors.class).calls).containsExactly("1", "2", "last");
		});
	}

	@Test
	void clientTakesThePayloadLimitFromTheProperties() {
		this.runner.withPropertyValues("steadyjobs.payload-limit=200B")
			.run((context) -> assertThatExceptionOfType(PayloadTooLargeException.class)
				.isThrownBy(() -> context.getBean(JobClient.class).enqueue(JobRequest.named("a", "x".repeat(200))))
				.withMessageContaining("200"));
	}

	@Test
	void registryTakesOverridesFromTheProperties() {
		this.runner.withUserConfiguration(Jobs.class)
			.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.jobs.Jobs.send.queue=${where}",
					"where=mail", "steadyjobs.jobs.Jobs.send.retries=7")
			.run((context) -> assertThat(context.getBean(JobRegistry.class).find("Jobs.send"))
				.satisfies((job) -> assertThat(job.queue()).isEqualTo("mail"))
				.satisfies((job) -> assertThat(job.retry().retries()).isEqualTo(7)));
	}

	@Test
	void registryTakesDefaultsAndOverridesOfIdempotentJobsFromTheProperties() {
		this.runner.withUserConfiguration(IdempotentJobs.class)
			.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.idempotence.strategy=until-executed",
					"steadyjobs.idempotence.ttl=5m", "steadyjobs.jobs.IdempotentJobs.send.if-duplicate=run-once-more")
			.run((context) -> assertThat(context.getBean(JobRegistry.class).find("IdempotentJobs.send"))
				.extracting(JobDefinition::idempotence)
				.isEqualTo(Idempotence.untilExecuted().ttl(Duration.ofMinutes(5)).runOnceMore()));
	}

	@Test
	@DisplayName("GL-09: the application refuses a job without a declaration")
	void registryWhenJobsHaveToDeclareAndOneDoesNotRefusesIt() {
		this.runner.withUserConfiguration(Jobs.class, IdempotentJobs.class)
			.withPropertyValues("steadyjobs.idempotence.undeclared=fail")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(JobDefinitionException.class,
						(ex) -> assertThat(ex.problems()).singleElement()
							.asString()
							.contains("'Jobs.send'", "does not say whether it is idempotent")));
	}

	@Test
	void unknownPropertiesAreNamedWhenInitializationIsLazyToo(CapturedOutput output) {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("steadyjobs.prefx=a")
			.run((context) -> assertThat(output).contains("The property 'steadyjobs.prefx' (")
				.contains("Did you mean 'steadyjobs.prefix'?"));
	}

	@Test
	void registryWhenInitializationIsLazyStillRefusesBadJobs() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withUserConfiguration(BadJobs.class)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(JobDefinitionException.class));
	}

	private void hasNoBeanOfOurs(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		assertThat(context.getBeanDefinitionNames()).noneMatch((name) -> {
			Class<?> type = context.getType(name);
			return type != null && type.getName().startsWith("io.github.steadyjobs");
		});
	}

	private static String write(JsonMapper mapper) {
		return mapper.writeValueAsString(new Person("ada"));
	}

	record Person(String firstName) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		JobsJsonMapperBuilderCustomizer second() {
			return (builder) -> builder.propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);
		}

		@Bean
		@Order(1)
		JobsJsonMapperBuilderCustomizer first() {
			return (builder) -> builder.propertyNamingStrategy(PropertyNamingStrategies.UPPER_SNAKE_CASE);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		ClientInterceptor last() {
			return (request, chain) -> {
				this.calls.add("last");
				return chain.stop();
			};
		}

		@Bean
		@Order(2)
		ClientInterceptor second() {
			return (request, chain) -> {
				this.calls.add("2");
				return chain.proceed(request);
			};
		}

		@Bean
		@Order(1)
		ClientInterceptor first() {
			return (request, chain) -> {
				this.calls.add("1");
				return chain.proceed(request);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Jobs {

		@Job
		void send(String to) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class IdempotentJobs {

		@Job
		@Idempotent
		void send(String to) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadJobs {

		@Job
		static void send(String to) {
		}

	}

}
