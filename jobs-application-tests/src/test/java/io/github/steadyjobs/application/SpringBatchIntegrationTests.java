package io.github.steadyjobs.application;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.boot.JobsRedisConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that also has jobs of Spring Batch, and that stores its own
 * data in a different Redis database from its jobs. Its beans are initialised lazily.
 */
class SpringBatchIntegrationTests {

	@Test
	void runWhenAStepEnqueuesRunsTheJobInTheRedisForJobs() throws Exception {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.lazyInitialization(true)
			.run()) {
			assertThat(application.getBean(GreetingJobs.class).next()).isEqualTo("from a step");
			StringRedisTemplate data = application.getBean(StringRedisTemplate.class);
			assertThat(data.keys("*")).isEmpty();
			data.opsForValue().set("cart", "full");
			StringRedisTemplate jobs = new StringRedisTemplate(
					application.getBean("jobsRedis", LettuceConnectionFactory.class));
			assertThat(jobs.keys("*")).isNotEmpty().allMatch((key) -> key.startsWith("steadyjobs:"));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		GreetingJobs greetingJobs() {
			return new GreetingJobs();
		}

		@Bean(defaultCandidate = false)
		@JobsRedisConnectionFactory
		LettuceConnectionFactory jobsRedis(DataRedisConnectionDetails details) {
			Standalone server = details.getStandalone();
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.getHost(),
					server.getPort());
			configuration.setDatabase(1);
			return new LettuceConnectionFactory(configuration);
		}

		@Bean
		Job nightly(JobRepository repository, Step greet) {
			return new JobBuilder("nightly", repository).start(greet).build();
		}

		@Bean
		Step greet(JobRepository repository, JobClient client) {
			return new StepBuilder("greet", repository).tasklet((contribution, chunk) -> {
				client.enqueue(GreetingJobs.class, (jobs) -> jobs.greet("from a step"));
				return RepeatStatus.FINISHED;
			}).build();
		}

	}

}
