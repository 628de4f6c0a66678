package io.github.steadyjobs.samples.orders;

import java.time.Duration;

import io.github.steadyjobs.RetryDelay;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * A shop whose orders are kept up to date by background jobs.
 */
@SpringBootApplication
@EnableConfigurationProperties(OrdersProperties.class)
class OrdersApplication {

	private static final Duration RETRY_DELAY = Duration.ofMillis(300);

	public static void main(String[] args) {
		SpringApplication.run(OrdersApplication.class, args);
	}

	/**
	 * Retry after a fraction of a second, so that you can watch the retries.
	 */
	@Bean
	RetryDelay retryDelay() {
		return RetryDelay.exactly((count, job, failure) -> RETRY_DELAY);
	}

}
