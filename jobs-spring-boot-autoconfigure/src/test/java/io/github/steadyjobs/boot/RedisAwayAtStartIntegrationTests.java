package io.github.steadyjobs.boot;

import java.time.Duration;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.support.OwnRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application that starts before its Redis is available.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisAwayAtStartIntegrationTests {

	@Test
	void runWhenRedisComesLaterStartsAndWorksThen(CapturedOutput output) {
		try (OwnRedis redis = OwnRedis.start()) {
			redis.kill();
			try (ConfigurableApplicationContext context = Applications.run(NotingJobs.class,
					"spring.data.redis.url=" + redis.url())) {
				JobsHealthIndicator health = context.getBean(JobsHealthIndicator.class);
				JobClient client = context.getBean(JobClient.class);
				assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
				assertThatExceptionOfType(JobStoreUnavailableException.class)
					.isThrownBy(() -> client.enqueue(NotingJobs.class, (jobs) -> jobs.note("lost")))
					.withMessageContaining("Redis is not reachable")
					.withMessageContaining("nothing was sent. Check 'spring.data.redis.*' and the server.");
				await().until(() -> output.toString().contains("and perhaps others, give no jobs at present"));
				redis.restart();
				await().atMost(Duration.ofSeconds(30)).until(() -> health.health().getStatus().equals(Status.UP));
				client.enqueue(NotingJobs.class, (jobs) -> jobs.note("kept"));
				context.getBean(Notes.class).await("kept");
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class NotingJobs {

		private Notes notes = new Notes();

		@Bean
		Notes notes() {
			return this.notes;
		}

		@Job
		void note(String text) {
			this.notes.add(text);
		}

	}

}
