package io.github.steadyjobs.test.boot;

import java.time.Duration;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Reminder;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of mode {@code REAL}, in an application whose configured Redis does not exist.
 */
@AutoConfigureJobs(mode = Mode.REAL)
class RealJobsIntegrationTests extends AbstractShopTests {

	@Autowired
	ConfigurableApplicationContext context;

	@Test
	void workersRunTheJobsAndTheyAreRecorded() {
		this.signUp.register("ada");
		await().untilAsserted(() -> assertThat(welcomed()).isOne());
		assertThat(MailJobs.SENT).containsExactly("welcome ada attempt 1 tenant t1");
		assertThat(this.jobs).hasEnqueued(Welcome.class).once().afterCommit();
		assertThat(this.jobs).hasEnqueued(Reminder.class).once().dueIn(Duration.ofDays(7));
		assertThat(this.jobs).hasEnqueuedNothingElse();
	}

	@Test
	void theEmbeddedRedisIsUsedWhateverIsConfigured() {
		assertThat(this.context.getBeansOfType(EmbeddedRedisServer.class)).hasSize(1);
		assertThat(this.context.getBean(Launcher.class)).isNotNull();
	}

	@Test
	void theHealthOfJobsIsUp() {
		assertThat(this.context.getBean("jobsHealthIndicator", HealthIndicator.class).health().getStatus())
			.isEqualTo(Status.UP);
	}

	@Test
	void timeIsThatOfRedis() {
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.advance(Duration.ofDays(1)))
			.withMessageContaining("'advance' is not possible with mode = REAL")
			.withMessageContaining("mode = RECORD");
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.drain());
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.run(JobRequest.of(new Welcome("ada"))));
	}

	@Test
	void aPausedContextWorksWhenItIsResumed() {
		this.context.stop();
		this.context.start();
		this.client.enqueue(new Welcome("bob"));
		await().untilAsserted(() -> assertThat(welcomed()).isOne());
	}

}
