package io.github.steadyjobs.guide.readme;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the application of the README.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReadmeIntegrationTests {

	@Test
	void applicationRunsItsJob(CapturedOutput output) {
		try (ConfigurableApplicationContext application = SpringApplication.run(ShopApplication.class)) {
			assertThat(application.isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(output).contains("Welcome ada@example.org, attempt 1 of 6"));
		}
	}

}
