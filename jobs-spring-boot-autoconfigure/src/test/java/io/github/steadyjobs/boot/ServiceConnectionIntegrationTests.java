package io.github.steadyjobs.boot;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs in a Redis that Testcontainers starts, as described in the guide.
 */
@SpringBootTest
@Tag("docker")
class ServiceConnectionIntegrationTests {

	@Test
	void enqueueWhenRedisIsAServiceConnectionRunsTheJobThere(@Autowired JobClient client, @Autowired Jobs jobs,
			@Autowired DataRedisConnectionDetails details, @Autowired GenericContainer<?> redis) throws Exception {
		assertThat(details.getStandalone().getPort()).isEqualTo(redis.getMappedPort(6379));
		client.enqueue(JobRequest.of(Jobs.class, (job) -> job.greet("Ada")));
		assertThat(jobs.greeted.poll(30, TimeUnit.SECONDS)).isEqualTo("Ada");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ServiceConnection("redis")
		GenericContainer<?> redis() {
			return new GenericContainer<>("redis:7-alpine").withExposedPorts(6379);
		}

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

	}

	static class Jobs {

		private final BlockingQueue<String> greeted = new LinkedBlockingQueue<>();

		@Job
		@NotIdempotent("greets again")
		void greet(String name) {
			this.greeted.add(name);
		}

	}

}
