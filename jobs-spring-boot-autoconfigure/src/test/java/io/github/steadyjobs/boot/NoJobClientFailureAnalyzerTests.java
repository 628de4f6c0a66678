package io.github.steadyjobs.boot;

import io.github.steadyjobs.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NoJobClientFailureAnalyzer}.
 */
@ExtendWith(OutputCaptureExtension.class)
class NoJobClientFailureAnalyzerTests {

	private static final String NEEDED = "Description: Parameter 0 of method user in "
			+ NoJobClientFailureAnalyzerTests.class.getName() + "$User required a JobClient, but there is none: ";

	@Test
	void runWhenThereIsNoConnectionFactorySaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, User.class,
				"spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName()))
			.isEqualTo(NEEDED + "no bean is a RedisConnectionFactory. Action: Do not exclude "
					+ "DataRedisAutoConfiguration, which makes one from 'spring.data.redis.*', or define a "
					+ "LettuceConnectionFactory.");
	}

	@Test
	void runWhenJobsAreSwitchedOffSaysSo(CapturedOutput output) {
		assertThat(Applications.failToRun(output, User.class, "steadyjobs.enabled=false"))
			.isEqualTo(NEEDED + "'steadyjobs.enabled' is false. Action: Set 'steadyjobs.enabled' to true, or inject "
					+ "ObjectProvider<JobClient> where jobs are optional.");
	}

	@Configuration(proxyBeanMethods = false)
	static class User {

		@Bean
		Object user(JobClient client) {
			return client;
		}

	}

}
