package io.github.steadyjobs.samples.quickstart;

import java.time.Duration;

import io.github.steadyjobs.test.RecurringCheck;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

/**
 * Tests for the times at which the recurring jobs of the site run.
 */
@SpringBootTest
class RecurringJobsTests {

	@Test
	void noneRunsMoreOftenThanEveryTenSeconds(ApplicationContext context) {
		RecurringCheck.in(context).neverRunsMoreOftenThanEvery(Duration.ofSeconds(10));
	}

}
