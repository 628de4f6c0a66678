package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.test.boot.shop.MailJobs.Reminder;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.ShopApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventStatistics;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that classes which run at the same time do not see each other's jobs, in a shared
 * context and in contexts of their own.
 */
class ParallelJobsTests {

	private static final CyclicBarrier BOTH = new CyclicBarrier(2);

	@Test
	void classesThatShareAContextSeeTheirOwnJobs() {
		run(FirstSharedCase.class, SecondSharedCase.class);
	}

	@Test
	void classesWithTheirOwnContextsSeeTheirOwnJobs() {
		run(FirstSharedCase.class, OtherContextCase.class);
	}

	private static void run(Class<?>... classes) {
		EngineTestKit.engine("junit-jupiter")
			.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
			.configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
			.configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
			.configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
			.selectors(DiscoverySelectors.selectClass(classes[0]), DiscoverySelectors.selectClass(classes[1]))
			.execute()
			.testEvents()
			.assertStatistics((statistics) -> succeeded(statistics.finished(2)));
	}

	private static void succeeded(EventStatistics statistics) {
		statistics.succeeded(2).failed(0);
	}

	/**
	 * The base of the classes that the tests above run.
	 */
	@TestInstance(Lifecycle.PER_CLASS)
	@SpringBootTest(classes = ShopApplication.class,
			properties = { "spring.datasource.generate-unique-name=true", "test.parallel=true" })
	@AutoConfigureJobs
	abstract static class AbstractCase {

		@Autowired
		JobClient client;

		@Autowired
		RecordedJobs jobs;

		void enqueueTogether(Object job) throws Exception {
			this.client.enqueue(job);
			// The other class enqueues an equal job, but neither is a duplicate.
			assertThat(this.client.enqueue(new Reminder("both")).accepted()).isTrue();
			this.jobs.advance(Duration.ofDays(1));
			BOTH.await(60, TimeUnit.SECONDS);
		}

		void meet() throws Exception {
			BOTH.await(60, TimeUnit.SECONDS);
		}

	}

	static class FirstSharedCase extends AbstractCase {

		@Test
		void seesItsOwn() throws Exception {
			enqueueTogether(new Welcome("first"));
			assertThat(this.jobs).hasEnqueued(Welcome.class)
				.once()
				.withArgument((welcome) -> assertThat(welcome.email()).isEqualTo("first"));
			assertThat(this.jobs).hasEnqueued(Reminder.class).once();
			assertThat(this.jobs).hasEnqueuedNothingElse();
			assertThat(this.jobs.drain().done()).isEqualTo(2);
			meet();
		}

	}

	static class SecondSharedCase extends AbstractCase {

		@Test
		void seesItsOwn() throws Exception {
			enqueueTogether(new Welcome("second"));
			this.jobs.clear();
			assertThat(this.jobs).hasEnqueuedNothing();
			assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued(Welcome.class))
				.hasMessageContaining("This test has enqueued no job")
				.hasMessageContaining("first");
			meet();
		}

	}

	@SpringBootTest(classes = ShopApplication.class,
			properties = { "spring.datasource.generate-unique-name=true", "test.parallel=other" })
	static class OtherContextCase extends AbstractCase {

		@Test
		void seesItsOwn() throws Exception {
			enqueueTogether(new Welcome("other"));
			assertThatThrownBy(() -> assertThat(this.jobs).hasEnqueued("MailJobs.send")).hasMessageContaining("other")
				.hasMessageNotContaining("first");
			meet();
		}

	}

}
