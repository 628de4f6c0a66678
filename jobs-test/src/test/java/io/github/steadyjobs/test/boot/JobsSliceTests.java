package io.github.steadyjobs.test.boot;

import javax.sql.DataSource;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.test.boot.shop.ChainJobs;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Ordered;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.ShopApplication;
import io.github.steadyjobs.test.boot.shop.SignUp;
import io.github.steadyjobs.test.boot.shop.TenantInterceptor;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.verify;

/**
 * Tests of {@link JobsTest}, with the database replaced.
 */
@JobsTest(properties = { "steadyjobs.context.keys=request", "steadyjobs.sequential.limit=2" })
@ContextConfiguration(classes = ShopApplication.class)
class JobsSliceTests {

	@MockitoBean
	JdbcTemplate database;

	@Autowired
	ApplicationContext context;

	@Test
	void theContextHasJobsAndInterceptorsAndNothingElse() {
		assertThat(this.context.getBeanProvider(MailJobs.class).stream()).hasSize(1);
		assertThat(this.context.getBeanProvider(ChainJobs.class).stream()).hasSize(1);
		assertThat(this.context.getBeanProvider(TenantInterceptor.class).stream()).hasSize(1);
		assertThat(this.context.getBeanProvider(SignUp.class).stream()).isEmpty();
		assertThat(this.context.getBeanProvider(DataSource.class).stream()).isEmpty();
		assertThat(this.context.getBeanProvider(LettuceConnectionFactory.class).stream())
			.hasOnlyElementsOfType(NoRedis.class);
	}

	@Test
	void jobsAreRecordedAndRun(@Autowired JobClient client, @Autowired RecordedJobs jobs) {
		client.enqueue(new Welcome("ada"));
		assertThat(jobs).hasEnqueued(Welcome.class).once();
		assertThat(jobs.drain().done()).isOne();
		verify(this.database).update(anyString(), eq("ada"));
	}

	@Test
	void valuesOfTheLogContextTravelWithJobs(@Autowired JobClient client, @Autowired RecordedJobs jobs) {
		MDC.put("request", "r1");
		client.enqueue(new Welcome("ada"));
		MDC.clear();
		assertThat(jobs.enqueued().get(0).payload().meta()).containsEntry("request", "r1");
	}

	@Test
	void noMorePayloadsWaitForAKeyThanIsConfigured(@Autowired JobClient client) {
		client.enqueue(new Ordered("ada", 1));
		client.enqueue(new Ordered("ada", 2));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> client.enqueue(new Ordered("ada", 3)))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(JobStoreException.Reason.KEY_FULL));
	}

	/**
	 * The slice with another mode.
	 */
	@Nested
	@JobsTest(mode = AutoConfigureJobs.Mode.REAL)
	@ContextConfiguration(classes = ShopApplication.class)
	class RealIntegrationTests {

		@Test
		void workersRunTheJobs(@Autowired JobClient client) {
			MailJobs.SENT.clear();
			client.enqueue(new Welcome("ada"));
			await().untilAsserted(() -> assertThat(MailJobs.SENT).hasSize(1));
		}

	}

}
