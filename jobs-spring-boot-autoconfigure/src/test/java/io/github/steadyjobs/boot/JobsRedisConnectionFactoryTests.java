package io.github.steadyjobs.boot;

import io.github.steadyjobs.redis.RedisConnections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsRedisConnectionFactory} and other ways to configure the Redis for
 * jobs.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsRedisConnectionFactoryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://shared:1/2");

	@Test
	void connectionsWhenThereIsOneFactoryUseItAndSaySo(CapturedOutput output) {
		this.runner.withPropertyValues("steadyjobs.prefix=shop")
			.run((context) -> assertThat(redis(context)).isEqualTo("shared:1, database 2"));
		assertThat(output).contains("Jobs are stored in Redis at shared:1, database 2, prefix 'shop'");
	}

	@Test
	void connectionsWhenOneFactoryIsPrimaryUseIt() {
		this.runner.withUserConfiguration(Primaries.class)
			.run((context) -> assertThat(redis(context)).isEqualTo("primary:1, database 0"));
	}

	@Test
	void connectionsWhenAFactoryIsForJobsUseItRatherThanThePrimary() {
		this.runner.withUserConfiguration(Primaries.class, ForJobs.class)
			.run((context) -> assertThat(redis(context)).isEqualTo("jobs:1, database 0"));
	}

	@Test
	void connectionsWhenFactoryForJobsIsNoDefaultCandidateLeaveTheOtherToTheApplication() {
		this.runner.withUserConfiguration(AddedForJobs.class).run((context) -> {
			assertThat(redis(context)).isEqualTo("jobs:1, database 0");
			assertThat(context.getBean(RedisConnectionFactory.class))
				.isSameAs(context.getBean("redisConnectionFactory"));
		});
	}

	@Test
	void connectionsWhenFactoryForJobsIsTheOnlyOneUseIt() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(JobsAutoConfiguration.class))
			.withUserConfiguration(AddedForJobs.class)
			.run((context) -> assertThat(redis(context)).isEqualTo("jobs:1, database 0"));
	}

	@Test
	void runWhenNoFactoryIsPrimaryOrForJobsSaysHowToChoose(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Several.class)).isEqualTo(
				"Description: Jobs could be stored in the Redis of more than one connection factory: 'one', 'two'. "
						+ "Action: Mark one, and only one, with @JobsRedisConnectionFactory, or with @Primary if the "
						+ "rest of the application uses it too. To start without jobs, set 'steadyjobs.enabled' to "
						+ "false.");
	}

	@Test
	void runWhenSeveralFactoriesAreForJobsSaysHowToChoose(CapturedOutput output) {
		assertThat(Applications.failToRun(output, SeveralForJobs.class)).contains("connection factory: '",
				"Mark one, and only one,");
	}

	@Test
	void runWhenFactoryIsNotLettucesSaysWhatToDo(CapturedOutput output) {
		assertThat(Applications.failToRun(output, NotLettuce.class)).startsWith(
				"Description: Jobs need Lettuce, the default client of Spring Data Redis, but the connection factory "
						+ "is a RedisConnectionFactory.Mockito")
			.contains("Action: Define a LettuceConnectionFactory in its place, or one for jobs beside it: "
					+ "@Bean(defaultCandidate = false) @JobsRedisConnectionFactory.");
	}

	@Test
	void runWhenPropertySelectsJedisNamesIt(CapturedOutput output) {
		assertThat(Applications.failToRun(output, NotLettuce.class, "spring.data.redis.client-type=jedis"))
			.contains("Action: Set 'spring.data.redis.client-type' to 'lettuce', or remove it.");
	}

	@Test
	void connectionsWhenLettuceIsAbsentSayThatItIsMissing() {
		this.runner.withUserConfiguration(NotLettuce.class)
			.withClassLoader(new FilteredClassLoader("io.lettuce"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(FailureAnalyzedException.class, (ex) -> assertThat(ex.analysis().getAction())
					.startsWith("Put io.lettuce:lettuce-core on the class path")));
	}

	private static String redis(ApplicationContext context) {
		return context.getBean(RedisConnections.class).describe("p").replace(", prefix 'p'", "");
	}

	@Configuration(proxyBeanMethods = false)
	static class ForJobs {

		@Bean
		@JobsRedisConnectionFactory
		LettuceConnectionFactory jobsRedis() {
			return new LettuceConnectionFactory("jobs", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AddedForJobs {

		@Bean(defaultCandidate = false)
		@JobsRedisConnectionFactory
		LettuceConnectionFactory jobsRedis() {
			return new LettuceConnectionFactory("jobs", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Primaries {

		@Bean
		@Primary
		LettuceConnectionFactory first() {
			return new LettuceConnectionFactory("primary", 1);
		}

		@Bean
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory("second", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		LettuceConnectionFactory one() {
			return new LettuceConnectionFactory("one", 1);
		}

		@Bean
		LettuceConnectionFactory two() {
			return new LettuceConnectionFactory("two", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ForJobs.class)
	static class SeveralForJobs {

		@Bean
		@JobsRedisConnectionFactory
		LettuceConnectionFactory other() {
			return new LettuceConnectionFactory("other", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NotLettuce {

		@Bean
		RedisConnectionFactory own() {
			return Mockito.mock(RedisConnectionFactory.class);
		}

	}

}
