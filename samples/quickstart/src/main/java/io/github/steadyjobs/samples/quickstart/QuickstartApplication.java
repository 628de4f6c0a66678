package io.github.steadyjobs.samples.quickstart;

import io.github.steadyjobs.RetryDelay;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * A small photo site whose thumbnails are made by background jobs.
 */
@SpringBootApplication
@EnableConfigurationProperties(QuickstartProperties.class)
class QuickstartApplication {

	private static final int LAST_DOUBLING = 6;

	public static void main(String[] args) {
		SpringApplication.run(QuickstartApplication.class, args);
	}

	/**
	 * Retry within seconds, so that you can watch the retries. Without this bean, the
	 * delays before retries would be much longer: 25 retries would take three weeks.
	 */
	@Bean
	RetryDelay retryDelay(QuickstartProperties properties) {
		return RetryDelay.exactly(
				(count, job, failure) -> properties.retryDelay().multipliedBy(1L << Math.min(count, LAST_DOUBLING)));
	}

}
